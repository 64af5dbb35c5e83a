import { expect, it } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import { instead, openEngine, storedMemories, storeMemories, storeTurns } from '../work/engine-fixture.ts'
import { originOf } from '../work/scope-view.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { holdBackPlausible } from './hold-back.ts'

const SAID = ['I signed the lease.', 'We had soup.', 'The train was late.', 'My shoes are wet.']

it('reads each turn once to find what is most likely meant', async () => {
  /** How often each turn's text was read while it was looked at. */
  const reads = new Map<string, number>()
  const counting = (turn: Turn): Turn => {
    const { text } = turn
    const read = (): string => {
      reads.set(turn.id, (reads.get(turn.id) ?? 0) + 1)
      return text
    }
    return Object.defineProperty({ ...turn }, 'text', { get: read, enumerable: true })
  }
  const place = await openEngine({
    around: (store) =>
      instead(store, 'listTurns', async (query) => (await store.listTurns(query)).map(counting)),
  })
  const { engine, row } = place
  await storeTurns(place, ...SAID.map((text) => ({ text })), { text: 'Forget my signature and the ink.' })
  const utterance = (turn: string) =>
    makeMemory({ id: `u-${turn}`, form: 'utterance', text: '', key: null, evidence: [{ turn, quote: null }] })
  await storeMemories(place, ...SAID.map((_, at) => utterance(`t${at + 1}`)))
  // Loading the state measures each text once.
  await engine.users.load(row.owner)
  reads.clear()
  const request = {
    kind: 'forget',
    about: 'my signature and the ink',
    evidence: { turn: 't5', quote: 'Forget my signature and the ink.' },
  } as const
  await decideAndCommit(engine, row, (unit) => holdBackPlausible(unit, request, originOf(engine, 'test/1')))
  // For its words, and for whether it was told in confidence.
  expect(SAID.map((_, at) => reads.get(`t${at + 1}`))).toEqual(SAID.map(() => 2))
  const held = (await storedMemories(place)).filter(({ status }) => status === 'deleted')
  expect(held.map(({ id }) => id)).toEqual(['u-t1'])
})
