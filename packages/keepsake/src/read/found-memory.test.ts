import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { openEngine, readTo, storeMemories, storeTurns } from '../work/engine-fixture.ts'
import { searchableMemory, type FoundMemory } from './found-memory.ts'
import { groupHits, type GroupOptions } from './rank.ts'

/** Turns t1 and t2 are kept by one utterance, t3 is kept by none, t4 waits; there is a fact, and one that was deleted. */
async function open() {
  const place = await openEngine()
  await storeTurns(place, {}, { role: 'assistant' }, {}, { role: 'assistant' })
  const evidence = ['t1', 't2'].map((turn) => ({ turn, quote: null }))
  await storeMemories(place, makeMemory({ id: 'said', text: '', evidence }), makeFact({ id: 'fact' }))
  await readTo(place, { utterances: 3 })
  const state = await place.engine.users.load(place.row.owner)
  return { engine: place.engine, state }
}

describe('what a document of the index stands for', () => {
  it('is what a turn that waits may become', async () => {
    const { engine, state } = await open()
    expect(searchableMemory(engine, state, 't4')).toMatchObject({
      memory: { id: 'pending:t4', label: 'agent-stated', evidence: [{ turn: 't4', quote: null }] },
      pending: true,
    })
  })

  it('is nothing when a turn was read and is kept no more, or nothing is known of it', async () => {
    const { engine, state } = await open()
    expect([searchableMemory(engine, state, 't3'), searchableMemory(engine, state, 'gone')]).toEqual([
      null,
      null,
    ])
  })
})

const hit = (id: string, score: number) => ({ id, score, parts: { lexical: score } })
const ALL = { limit: Number.POSITIVE_INFINITY, accepts: () => true }

/** The turns of a memory that were found, with their scores. */
const own = ({ memory, turns }: FoundMemory) =>
  memory.evidence.flatMap(({ turn }) => (turns.has(turn) ? [[turn, turns.get(turn)] as const] : []))

describe('groupHits', () => {
  it('looks for no more memories than are wanted, but takes in all turns of these, and counts what is over as none', async () => {
    const place = await openEngine()
    await storeTurns(place, ...Array.from({ length: 8 }, () => ({})))
    const said = [1, 2, 3, 4].map((one) => {
      const evidence = [`t${one}`, `t${one + 4}`].map((turn) => ({ turn, quote: null }))
      return makeMemory({ id: `said-${one}`, text: '', evidence })
    })
    await storeMemories(place, makeFact({ id: 'over', validUntil: 1 }), ...said)
    await readTo(place, { utterances: 8 })
    const state = await place.engine.users.load(place.row.owner)
    const ids = ['over', 't1', 't2', 't3', 't5', 't7', 't4', 't8']
    const hits = ids.map((id, at) => hit(id, 9 - at))
    const turnsBy = (wanted: GroupOptions) =>
      groupHits(place.engine, state, hits, wanted).map((one) => [
        one.memory.id,
        ...own(one).map(([id]) => id),
      ])
    expect(turnsBy({ ...ALL, limit: 2 })).toEqual([['over'], ['said-1', 't1', 't5'], ['said-2', 't2']])
    expect(turnsBy(ALL).slice(0, 3)).toEqual(turnsBy({ ...ALL, limit: 2 }))
    const accepts = ({ id }: Memory): boolean => id !== 'said-1'
    expect(turnsBy({ limit: 1, accepts })).toEqual([['over'], ['said-2', 't2']])
  })

  it('gives each memory once, in the order found, with its best score and the scores of its turns', async () => {
    const { engine, state } = await open()
    const hits = [hit('t2', 9), hit('fact', 8), hit('t3', 7), hit('t1', 6), hit('t4', 5)]
    const found = groupHits(engine, state, hits, ALL)
    expect(found.map((one) => [one.memory.id, one.score, one.parts, own(one), one.pending])).toEqual([
      [
        'said',
        9,
        { lexical: 9 },
        [
          ['t1', 6],
          ['t2', 9],
        ],
        false,
      ],
      ['fact', 8, { lexical: 8 }, [], false],
      ['pending:t4', 5, { lexical: 5 }, [['t4', 5]], true],
    ])
  })
})
