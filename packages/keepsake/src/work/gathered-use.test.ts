import { describe, expect, it, vi } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import { projectLog } from '../memories/apply-operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { CommitRequest } from '../stores/store.ts'
import {
  listen,
  instead,
  openEngine,
  storedMemories,
  storeMemories,
  type TestScope,
} from './engine-fixture.ts'
import { ChangeSet } from '../memories/change-set.ts'
import { commitOf } from '../stores/contract/samples.ts'
import { gatherLog, LogGathering } from './gather-log.ts'
import { originOf } from './scope-view.ts'

const KEY = { tenant: 'default', agent: null, app: null }
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

/** People of whom each has a fact, and whose use was written together since. */
async function openPeople(count: number) {
  const written: string[][] = []
  const see = (requests: readonly CommitRequest[]) =>
    written.push(requests.map(({ owner }) => names.get(owner) ?? ''))
  const { engine } = await openEngine({
    around: (store) =>
      instead(
        instead(store, 'commit', async (request) => {
          see([request])
          return store.commit(request)
        }),
        'commitAll',
        async (requests) => {
          see(requests)
          return store.commitAll?.(requests) ?? []
        },
      ),
  })
  const names = new Map<number, string>()
  const rows: ScopeRow[] = []
  for (let person = 0; person < count; person += 1) {
    const row = await engine.store.ensureScope({ ...KEY, user: `person-${person}` })
    const fact = makeMemory({ id: `a-${person}`, form: 'fact', text: 'lives in Lyon' })
    await storeMemories({ engine, row }, fact)
    names.set(row.owner, `person-${person}`)
    rows.push(row)
  }
  written.length = 0
  const recall = (person: number): void => {
    const row = rows[person]
    if (row !== undefined) engine.usage.note(row, [first(`a-${person}`)], MOMENT)
  }
  return { engine, written, recall }
}

/** A change of which the caches of this engine know nothing. */
async function changeElsewhere({ engine, row }: TestScope, id: string, text: string): Promise<void> {
  const [known] = await engine.store.memories({ owner: row.owner, ids: [id] })
  const moment = { scope: row.scope, at: engine.now(), sessionNumber: 1, round: 3 }
  const changes = new ChangeSet(moment, engine.newId, () => known)
  changes.change('modify', id, { text }, originOf(engine, 'api'))
  const { operations, memories } = changes
  await engine.store.commit({ ...commitOf(row, []), operations, memories })
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
    const log = await engine.store.operations({ owner: row.owner })
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
      const known = (await engine.users.load(row.owner)).known('a')?.memory
      if (known === undefined) throw new Error('a is not known')
      expect(known.use.first).toBe(0)
      expect(engine.usage.counted(row.owner, known).use).toMatchObject({ first: 1, rounds: [3] })
      vi.advanceTimersByTime(1_000)
      await vi.waitFor(() => expect(commits).toHaveLength(1))
      await engine.usage.write()
      expect((await engine.users.load(row.owner)).known('a')?.memory.use.first).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is written as the second of each person ends, and with it of who comes soon after', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { written, recall } = await openPeople(3)
      recall(0)
      await vi.advanceTimersByTimeAsync(80)
      recall(1)
      await vi.advanceTimersByTimeAsync(420)
      recall(2)
      await vi.advanceTimersByTimeAsync(499)
      expect(written).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      await vi.waitFor(() => expect(written).toEqual([['person-0', 'person-1']]))
      await vi.advanceTimersByTimeAsync(500)
      await vi.waitFor(() => expect(written).toEqual([['person-0', 'person-1'], ['person-2']]))
    } finally {
      vi.useRealTimers()
    }
  })

  it('is written a few people at a time, so that nobody waits for what a second of recalls did', async () => {
    const { engine, written, recall } = await openPeople(10)
    for (let person = 0; person < 10; person += 1) recall(person)
    await engine.usage.write()
    expect(written.map((people) => people.length)).toEqual([8, 2])
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

  it('asks for nothing newer first; written over what another process changed, it is refused, and then written over that', async () => {
    const asked: string[] = []
    const { engine, row } = await openEngine({
      around: (store) => {
        const noting = instead(store, 'version', async (owner) => {
          asked.push('version')
          return store.version(owner)
        })
        return instead(noting, 'commit', async (request) => {
          const result = await store.commit(request)
          asked.push(result.outcome)
          return result
        })
      },
    })
    await storeMemories({ engine, row }, makeMemory({ id: 'a', form: 'fact', text: 'lives in Lyon' }))
    await engine.users.load(row.owner)
    asked.length = 0
    engine.usage.note(row, [first('a')], MOMENT)
    await engine.usage.write()
    expect(asked).toEqual(['committed'])
    await changeElsewhere({ engine, row }, 'a', 'lives in Oslo')
    asked.length = 0
    engine.usage.note(row, [first('a')], { ...MOMENT, round: 4 })
    await engine.usage.write()
    expect(asked).toEqual(['conflict'])
    await engine.usage.write()
    expect(await storedMemories({ engine, row })).toMatchObject([
      { text: 'lives in Oslo', use: { first: 2, rounds: [3, 4] } },
    ])
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
    expect((await uses({ engine, row }))['a']?.first).toBe(0)
    await engine.usage.write()
    expect((await uses({ engine, row }))['a']?.first).toBe(1)
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
    const [stored] = await engine.store.memories({ owner: row.owner })
    expect(state.known('a')).toEqual(stored)
  })
})

describe('the log', () => {
  it('does not grow by a memory’s use: one entry stands for many, and gives the same strengths', async () => {
    const place = await open()
    const { engine, row } = place
    for (let recall = 1; recall <= 400; recall += 1) {
      const moment = { round: Math.ceil(recall / 3), sessionNumber: 1 + Math.floor(recall / 50), at: recall }
      engine.usage.note(row, recall % 5 === 0 ? [first('b'), second('a')] : [first('a')], moment)
      await engine.usage.write()
    }
    const log = await engine.store.operations({ owner: row.owner })
    expect(log.length).toBeLessThan(80)
    expect([...projectLog(log).values()]).toEqual(await storedMemories(place))
    expect(await uses(place)).toMatchObject({ a: { first: 320, second: 80 }, b: { first: 80, lastAt: 400 } })
    expect(log.filter(({ kind }) => kind === 'add')).toHaveLength(2)
  })

  it('is looked at once in 32 writes, from one on that is drawn: soon or late in a process’s life', async () => {
    const looks: string[] = []
    const { engine, row } = await openEngine({
      around: (store) =>
        instead(store, 'operations', async (asked) => {
          looks.push(String(asked.kinds))
          return store.operations(asked)
        }),
    })
    const looksOf = async (random: number, writes: number): Promise<number> => {
      looks.length = 0
      const log = new LogGathering(
        () => engine,
        () => random,
      )
      for (let write = 0; write < writes; write += 1) await log.after(row)
      return looks.length
    }
    expect([await looksOf(0, 31), await looksOf(0, 32), await looksOf(0, 64)]).toEqual([0, 1, 2])
    expect([await looksOf(0.999, 1), await looksOf(0.999, 32), await looksOf(0.999, 33)]).toEqual([1, 1, 2])
  })

  it('keeps what was undone, and what undoes it', async () => {
    const place = await open()
    const { engine, row } = place
    const recall = async (at: number) => {
      engine.usage.note(row, [first('a')], { ...MOMENT, at })
      await engine.usage.write()
    }
    await recall(1)
    const [undone] = (await engine.store.operations({ owner: row.owner })).slice(-1)
    if (undone === undefined) throw new Error('nothing was reinforced')
    const { sequence: _, ...rest } = undone
    const [request] = place.commits
    if (request === undefined) throw new Error('nothing was committed')
    const undoing = { ...rest, id: 'undoing', undoes: undone.id }
    const memories = (await storedMemories(place)).map((memory) =>
      memory.id === 'a' ? { ...memory, use: { ...memory.use, first: 0, rounds: [] } } : memory,
    )
    await engine.store.commit({
      ...request,
      operations: [undoing],
      memories: memories.filter(({ id }) => id === 'a'),
      expect: [],
    })
    for (let at = 2; at < 120; at += 1) await recall(at)
    await gatherLog(engine, row)
    const ids = (await engine.store.operations({ owner: row.owner })).map(({ id }) => id)
    expect(ids).toContain(undone.id)
    expect(ids).toContain('undoing')
    expect((await uses(place))['a']?.first).toBe(118)
  })
})
