import { describe, expect, it, vi } from 'vitest'
import { makeMemory, ORIGIN } from '../memories/memory-fixture.ts'
import type { UsageCount } from '../store/store.ts'
import { listen, withMethod, openEngine, storeMemories, type TestScope } from './engine-fixture.ts'
import { decideAndCommit } from './unit-of-work.ts'

const MOMENT = { round: 3, sessionNumber: 1, at: 5_000 }
const first = (memory: string) => ({ memory, rank: 'first' }) as const
const second = (memory: string) => ({ memory, rank: 'second' }) as const

/** A scope with two facts, and the counts that its store was given. */
async function open() {
  const written: (readonly UsageCount[])[] = []
  let loads = 0
  const place = await openEngine({
    wrapStore: (given) => {
      const store = withMethod(given, 'addUsage', async (user, counts) => {
        written.push(counts)
        return given.addUsage(user, counts)
      })
      return withMethod(store, 'loadUser', async (request) => {
        loads += 1
        return given.loadUser(request)
      })
    },
  })
  const fact = { form: 'fact', text: 'lives in Lyon' } as const
  await storeMemories(place, makeMemory({ id: 'a', ...fact }), makeMemory({ id: 'b', ...fact }))
  return { ...place, written, loads: () => loads }
}

async function uses({ engine, row }: TestScope) {
  const state = await engine.users.load(row.owner)
  return Object.fromEntries([...state.listMemories()].map((memory) => [memory.id, state.counted(memory).use]))
}

describe('what recalls used', () => {
  it('is written at once for many recalls, and read back as it was counted', async () => {
    const place = await open()
    const { engine, row, written, loads } = place
    await engine.users.load(row.owner)
    const before = loads()
    engine.usage.note(row, [first('a'), second('b')], MOMENT)
    engine.usage.note(row, [first('b'), second('a')], { ...MOMENT, round: 4, at: 6_000 })
    expect(written).toHaveLength(0)
    const told = listen(place, 'memories-reinforced')
    await engine.usage.write()
    expect(written).toMatchObject([[{ memory: 'a' }, { memory: 'b' }]])
    expect(told).toMatchObject([{ scope: { user: 'ana' }, touched: [{ memory: 'a' }, { memory: 'b' }] }])
    const counted = {
      a: { first: 1, second: 1, rounds: [3], secondAt: 4, lastAt: 5_000 },
      b: { first: 1, second: 1, rounds: [4], secondAt: 3, lastAt: 6_000 },
    }
    expect(await uses(place)).toMatchObject(counted)
    expect(loads()).toBe(before)
    engine.users.evict(row.owner)
    expect(await uses(place)).toMatchObject(counted)
    expect(await engine.store.listOperations({ userId: row.owner, kinds: ['reinforce'] })).toEqual([])
    await engine.usage.write()
    expect(written).toHaveLength(1)
  })

  it('counts at once for what is judged, and is written within about a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const place = await open()
      const { engine, row, written } = place
      engine.usage.note(row, [first('a')], MOMENT)
      const state = await engine.users.load(row.owner)
      const known = state.memories.get('a')
      if (known === undefined) throw new Error('a is not known')
      expect(state.counted(known).use.first).toBe(0)
      expect(engine.usage.counted(state, known).use).toMatchObject({ first: 1, rounds: [3] })
      vi.advanceTimersByTime(1_000)
      await vi.waitFor(() => expect(written).toHaveLength(1))
      await engine.usage.write()
      expect((await uses(place))['a']?.first).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not added twice when a memory is changed after it', async () => {
    const place = await open()
    const { engine, row } = place
    engine.usage.note(row, [first('a')], MOMENT)
    await engine.usage.write()
    await decideAndCommit(engine, row, ({ changes }) =>
      changes.change('modify', 'a', { pinned: true }, ORIGIN),
    )
    engine.users.evict(row.owner)
    expect((await uses(place))['a']?.first).toBe(1)
  })

  it('leaves alone what is no longer live, and drops what waits of a user who is erased', async () => {
    const { engine, row, written } = await open()
    await engine.users.load(row.owner)
    engine.usage.note(row, [first('gone')], MOMENT)
    await engine.usage.write()
    engine.usage.note(row, [first('a')], MOMENT)
    engine.usage.drop(row.owner)
    await engine.usage.write()
    expect(written).toHaveLength(0)
  })
})
