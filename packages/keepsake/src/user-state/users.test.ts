import { describe, expect, it } from 'vitest'
import { eraseTarget } from '../erase/erase-memories.ts'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import { readTo, openEngine, resolvedIn, storeMemories, storeTurns } from '../work/engine-fixture.ts'

/** Ana said two things, of which one is kept, and one fact is known. */
async function open() {
  const place = await openEngine()
  await storeTurns(
    place,
    { text: 'I keep bees.' },
    { role: 'assistant', text: 'How many?' },
    { session: 's2' },
  )
  await storeMemories(
    place,
    makeMemory({ id: 'said', text: '', evidence: [{ turn: 't1', quote: null }] }),
    makeFact({ id: 'name', key: 'name', value: 'Ana', evidence: [{ turn: 't1', quote: null }] }),
  )
  const load = () => place.engine.users.load(place.row.owner)
  return { ...place, load }
}

describe('the state of a user', () => {
  it('holds turns, sessions, memories and what they rest on', async () => {
    const { row, load } = await open()
    const state = await load()
    expect(state.turns.get('t1')?.text).toBe('I keep bees.')
    expect(state.turnsAfter(row.scope, 0, { upTo: 2 }).map(({ id }) => id)).toEqual(['t1', 't2'])
    expect(state.turnsOfSession(row.scope, 's2').map(({ id }) => id)).toEqual(['t3'])
    expect([state.sessionNumber(row.scope, 's2'), state.roundAt(row.scope, 2)]).toEqual([2, 1])
    expect(state.userTurnBefore(row.scope, 3)?.id).toBe('t1')
    expect(state.utteranceOf('t1')?.id).toBe('said')
    expect([...state.memoriesOfTurn('t1')].map(({ id }) => id)).toEqual(['said', 'name'])
    expect(state.namingFacts(new Set([row.scope])).map(({ value }) => value)).toEqual(['Ana'])
    expect(state.liveCount(row.scope, 'fact').memories).toBe(1)
  })

  it('is the same object until the store has something newer, which is added to it', async () => {
    const place = await open()
    const state = await place.load()
    expect(await place.load()).toBe(state)
    await storeTurns(place, { text: 'Three hives.' })
    await storeMemories(place, makeFact({ id: 'hives' }))
    await readTo(place, { utterances: 4 })
    expect(await place.load()).toBe(state)
    expect([state.turns.get('t4')?.text, state.memories.has('hives')]).toEqual(['Three hives.', true])
    expect(state.consolidatedTo(place.row.scope)).toBe(4)
  })

  it('is loaded once by calls at the same time, and again after an erasure', async () => {
    const place = await open()
    const [one, other] = await Promise.all([place.load(), place.load()])
    expect(one).toBe(other)
    await eraseTarget(place.engine, resolvedIn(place), { turns: ['t1'] })
    const after = await place.load()
    expect(after).not.toBe(one)
    expect([after.turns.has('t1'), after.memories.get('name')?.status]).toEqual([false, 'erased'])
  })
})
