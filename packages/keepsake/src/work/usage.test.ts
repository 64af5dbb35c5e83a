import { describe, expect, it, vi } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import { projectLog } from '../memories/apply-operation.ts'
import type { CommitRequest } from '../store/store.ts'
import {
  listen,
  instead,
  openEngine,
  storedMemories,
  storeMemories,
  type TestScope,
} from './engine-fixture.ts'

const MOMENT = { round: 3, sessionNumber: 1, at: 5_000 }
const first = (memory: string) => ({ memory, rank: 'first' }) as const
const second = (memory: string) => ({ memory, rank: 'second' }) as const

/** A scope with two facts, and the commits that its store was given since. */
async function open() {
  const commits: CommitRequest[] = []
  const place = await openEngine({
    around: (store) =>
      instead(store, 'commit', async (request) => {
        commits.push(request)
        return store.commit(request)
      }),
  })
  const fact = { form: 'fact', text: 'lives in Lyon' } as const
  await storeMemories(place, makeMemory({ id: 'a', ...fact }), makeMemory({ id: 'b', ...fact }))
  commits.length = 0
  return { ...place, commits }
}

async function uses(place: TestScope) {
  return Object.fromEntries((await storedMemories(place)).map(({ id, use }) => [id, use]))
}

describe('what recalls reinforced', () => {
  it('is written as one entry for many recalls, and says what each did', async () => {
    const place = await open()
    const { engine, row, commits } = place
    engine.usage.note(row, [first('a'), second('b')], MOMENT)
    engine.usage.note(row, [first('b'), second('a')], { ...MOMENT, round: 4, at: 6_000 })
    expect(commits).toHaveLength(0)
    const told = listen(place, 'memories-reinforced')
    await engine.usage.write()
    expect(commits).toMatchObject([
      { flush: false, operations: [{ kind: 'reinforce', round: 4, at: 6_000 }] },
    ])
    expect(told).toHaveLength(1)
    expect(await uses(place)).toMatchObject({
      a: { first: 1, second: 1, rounds: [3], secondAt: 4, lastAt: 5_000 },
      b: { first: 1, second: 1, rounds: [4], secondAt: 3, lastAt: 6_000 },
    })
    const log = await engine.store.listOperations({ userId: row.owner })
    expect([...projectLog(log).values()]).toEqual(await storedMemories(place))
    await engine.usage.write()
    expect(commits).toHaveLength(1)
  })

  it('says no more than a recall did where it was one', async () => {
    const { engine, row, commits } = await open()
    engine.usage.note(row, [first('a'), second('b')], MOMENT)
    await engine.usage.write(row.owner)
    expect(commits[0]?.operations[0]?.touched).toEqual([first('a'), second('b')])
  })

  it('counts at once for whoever judges, and is written within about a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { engine, row, commits } = await open()
      engine.usage.note(row, [first('a')], MOMENT)
      const known = (await engine.users.load(row.owner)).memories.get('a')
      if (known === undefined) throw new Error('a is not known')
      expect(known.use.first).toBe(0)
      expect(engine.usage.counted(row.owner, known).use).toMatchObject({ first: 1, rounds: [3] })
      vi.advanceTimersByTime(1_000)
      await vi.waitFor(() => expect(commits).toHaveLength(1))
      await engine.usage.write()
      expect((await engine.users.load(row.owner)).memories.get('a')?.use.first).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('leaves alone what is no longer live, and drops what waits of a person who is erased', async () => {
    const place = await open()
    const { engine, row, commits } = place
    engine.usage.note(row, [first('gone')], MOMENT)
    await engine.usage.write()
    engine.usage.note(row, [first('a')], MOMENT)
    engine.usage.drop(row.owner)
    await engine.usage.write()
    expect(commits).toHaveLength(0)
  })

  it('is tried again when another process was first', async () => {
    let isFirst = true
    const { engine, row } = await openEngine({
      around: (store) =>
        instead(store, 'commit', async (request) => {
          const isReinforcing = request.operations[0]?.kind === 'reinforce'
          if (!isReinforcing || !isFirst) return store.commit(request)
          isFirst = false
          return { outcome: 'conflict', on: 'memory', reason: 'changed' }
        }),
    })
    await storeMemories({ engine, row }, makeMemory({ id: 'a', form: 'fact', text: 'lives in Lyon' }))
    engine.usage.note(row, [first('a')], MOMENT)
    await engine.usage.write()
    expect((await uses({ engine, row }))['a']?.first).toBe(1)
    expect(isFirst).toBe(false)
  })
})

describe('what this process stored', () => {
  it('is in the state without the store being read again', async () => {
    let reads = 0
    const { engine, row } = await openEngine({
      around: (store) =>
        instead(store, 'indexRows', async (owner, after) => {
          reads += 1
          return store.indexRows(owner, after)
        }),
    })
    await storeMemories({ engine, row }, makeMemory({ id: 'a', form: 'fact', text: 'lives in Lyon' }))
    await engine.users.load(row.owner)
    expect(reads).toBe(1)
    engine.usage.note(row, [first('a')], MOMENT)
    await engine.usage.write()
    const state = await engine.users.load(row.owner)
    expect(reads).toBe(1)
    const [stored] = await engine.store.listMemories({ userId: row.owner })
    expect(state.memories.get('a')).toEqual(stored?.memory)
  })
})
