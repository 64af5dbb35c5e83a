import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentTable } from '../retrieval/document-table.ts'
import type { Turn } from '../turns/turn.ts'
import { SaidTurns } from './said-turns.ts'

function tableOf(turns: readonly Turn[]): DocumentTable {
  const table = new DocumentTable()
  for (const turn of turns) table.write({ ...turn, kind: 'turn', terms: [], traits: 0, vector: null })
  return table
}

const ANY_TURN = fc.record<Omit<Turn, 'id' | 'position'>>({
  scope: fc.nat(3),
  session: fc.constantFrom('monday', '星期二'),
  role: fc.constantFrom('user', 'agent', 'other'),
  speaker: fc.option(fc.constantFrom('Nadia', '小明')),
  text: fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.constant('\u0000["no",null,null]'),
  ),
  at: fc.integer({ min: 0, max: 2 ** 45 }),
  timeZone: fc.option(fc.constant('Europe/Paris')),
  metadata: fc.option(fc.constant({ channel: 'phone' })),
})

const plain = (id: string): Turn => ({
  id,
  scope: 1,
  session: 's',
  position: 1,
  role: 'user',
  speaker: null,
  text: `words of ${id}`,
  at: 5,
  timeZone: null,
  metadata: null,
})

describe('SaidTurns', () => {
  it('gives back what was put in, whatever was said, of turns that the table holds', () => {
    fc.assert(
      fc.property(fc.array(ANY_TURN, { maxLength: 20 }), (drawn) => {
        const turns = drawn.map((one, at): Turn => ({ ...one, id: `t${at}`, position: at + 1 }))
        const said = new SaidTurns(tableOf(turns))
        for (const turn of turns) said.put(turn)
        expect(turns.map(({ id }) => said.get(id))).toEqual(turns)
      }),
    )
    const said = new SaidTurns(tableOf([plain('here')]))
    said.put(plain('elsewhere'))
    expect([said.has('elsewhere'), said.get('elsewhere'), said.has('here')]).toEqual([
      false,
      undefined,
      false,
    ])
  })

  it('lets go of what nobody asked for the longest, and of nothing that was asked for since', () => {
    const turns = Array.from({ length: 9_000 }, (_, at) => plain(`t${at}`))
    const said = new SaidTurns(tableOf(turns))
    for (const turn of turns.slice(0, 8_000)) {
      said.put(turn)
      said.get('t0')
    }
    expect(said.has('t1')).toBe(true)
    for (const turn of turns.slice(8_000)) said.put(turn)
    expect([said.has('t1'), said.get('t0'), said.get('t8999')]).toEqual([false, turns[0], turns[8_999]])
  })

  it('gives the same when put in again, and takes no more room', () => {
    const said = new SaidTurns(tableOf([plain('one')]))
    said.put(plain('one'))
    const { bytes } = said
    for (let times = 0; times < 1_000; times += 1) said.put(plain('one'))
    expect([said.bytes, said.get('one')]).toEqual([bytes, plain('one')])
  })
})
