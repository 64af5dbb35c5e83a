import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { answering, fact, segmentAnswer } from '../../test/script-model.ts'
import { temporaryFile } from '../../test/temporary-file.ts'
import { eraseTarget } from '../erase/erase-memories.ts'
import { StoreError } from '../errors/errors.ts'
import { makeFact, ORIGIN } from '../memories/memory-fixture.ts'
import { openMemory } from '../memory.ts'
import { keepsake as keepsakePreset } from '../presets/keepsake.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import type { Change, Store } from '../store/store.ts'
import { wireEngine } from '../wire-engine.ts'
import {
  withMethod,
  listen,
  NOW,
  openEngine,
  resolvedIn,
  storeMemories,
  storeTurns,
} from './engine-fixture.ts'
import type { Engine } from './engine.ts'
import { decideAndCommit, type CommitTerms, type UnitOfWork } from './unit-of-work.ts'

/** How long it waited before it decided again; the store's own waits are longer. No test waits for it. */
const waits: number[] = []
beforeEach(() => {
  waits.splice(0)
  vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms = 0) => void (ms < 1_000 && waits.push(ms)))
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** A store of which something happens before each commit, as when another process is first. */
function before(store: Store, happens: (call: number) => Promise<'conflict' | undefined>): Store {
  let calls = 0
  return withMethod(store, 'commit', async (change, revision) => {
    const outcome = await happens((calls += 1))
    return outcome === undefined ? store.commit(change, revision) : { outcome, revision }
  })
}

const open = (happens: (call: number) => Promise<'conflict' | undefined> = async () => undefined) =>
  openEngine({ wrapStore: (store) => before(store, happens) })

function addFact({ changes }: UnitOfWork, text = 'The user lives in Lyon.'): string {
  const { id: _id, scope: _scope, origin: _origin, ...rest } = makeFact({ text })
  return changes.add(rest, ORIGIN).id
}

async function textsIn(engine: Engine, row: ScopeRow): Promise<string[]> {
  return (await engine.store.listMemories({ userId: row.owner })).map(({ memory }) => memory.text)
}

describe('a unit of work', () => {
  it('asks the store for nothing when nothing was decided', async () => {
    const { engine, row } = await open(async () => Promise.reject(new Error('nothing is to be committed')))
    expect(await decideAndCommit(engine, row, () => 'nothing')).toEqual({ result: 'nothing', operations: [] })
  })

  it('is decided again over what another process left of the same memory', async () => {
    const path = temporaryFile()
    const other = await openMemory({ path })
    onTestFinished(() => other.close())
    const store = await openSqliteStore({ path })
    let edit: () => Promise<unknown> = async () => undefined
    const racing = before(store, async (call) => {
      if (call === 2) await edit()
      return undefined
    })
    const engine = wireEngine({}, keepsakePreset(), racing)
    onTestFinished(async () => {
      engine.users.clear()
      await store.close()
    })
    const row = await store.ensureScope({ tenant: 'default', user: 'ana', agent: null, app: null })
    const { result: id } = await decideAndCommit(engine, row, (unit) => addFact(unit))
    edit = () => other.scope({ user: 'ana' }).edit(id, { text: 'The user lives in Paris.' })
    const seen: string[] = []
    await decideAndCommit(engine, row, ({ changes }) => {
      seen.push(changes.read(id)?.text ?? '')
      changes.change('modify', id, { pinned: true }, ORIGIN)
    })
    expect(seen).toEqual(['The user lives in Lyon.', 'The user lives in Paris.'])
    const [stored] = await store.listMemories({ userId: row.owner })
    expect(stored?.memory).toMatchObject({ text: 'The user lives in Paris.', pinned: true })
  })

  it('is not decided where another process read so far already, or did the job', async () => {
    const { engine, row } = await open()
    const read = { progress: [{ branch: 'facts', from: 0, to: 7 }] }
    expect(await decideAndCommit(engine, row, () => undefined, read)).not.toBeNull()
    for (const terms of [read, { expectJobs: ['gone'] }, { lastPosition: -1 }])
      expect(await decideAndCommit(engine, row, (unit) => addFact(unit), terms)).toBeNull()
    expect(await textsIn(engine, row)).toEqual([])
  })

  it('is decided over what an erasure left, unless it rests on what was read before', async () => {
    const { engine, row } = await open()
    await storeTurns({ engine, row }, {}, {})
    const { revision } = await engine.users.load(row.owner)
    await eraseTarget(engine, resolvedIn({ engine, row }), { turns: ['t1'] })
    expect(await decideAndCommit(engine, row, (unit) => addFact(unit), { revision })).toBeNull()
    expect(await decideAndCommit(engine, row, (unit) => addFact(unit))).not.toBeNull()
    expect(await textsIn(engine, row)).toEqual(['The user lives in Lyon.'])
  })

  it('stores nothing of what may no longer be told', async () => {
    const { engine, row } = await open()
    const terms = { stillHolds: () => false, progress: [{ branch: 'facts', from: 0, to: 7 }] }
    expect(await decideAndCommit(engine, row, (unit) => addFact(unit), terms)).toBeNull()
    expect(await textsIn(engine, row)).toEqual([])
    expect((await engine.users.load(row.owner)).progress(row.scope).branches).toEqual({})
  })

  it('says that the store is busy when others are first every time', async () => {
    const { engine, row } = await open(async () => 'conflict')
    let decided = 0
    const busy = new StoreError(
      'store-busy',
      "Other processes changed this user's memories 12 times in between. Try again.",
    )
    const decide = (unit: UnitOfWork) => {
      decided += 1
      return addFact(unit)
    }
    await expect(decideAndCommit(engine, row, decide)).rejects.toThrow(busy)
    expect([decided, waits]).toEqual([12, [2, 4, 8, 16, 32, 64, 128, 250, 250, 250, 250, 250]])
    expect(await textsIn(engine, row)).toEqual([])
  })
})

describe('what a unit of work commits', () => {
  /** Requests to commit, as they reach the store. */
  async function opened() {
    const requests: Change[] = []
    const place = await openEngine({
      wrapStore: (store) =>
        withMethod(store, 'commit', async (change, revision) => {
          requests.push(change)
          return store.commit(change, revision)
        }),
    })
    await storeTurns(place, {}, { session: 's2' })
    return { ...place, requests }
  }

  it('succeeds at the last try', async () => {
    const { engine, row } = await open(async (call) => (call < 12 ? 'conflict' : undefined))
    expect((await decideAndCommit(engine, row, (unit) => addFact(unit))).operations).toHaveLength(1)
    expect(waits).toHaveLength(11)
  })

  it.each<[string, (row: ScopeRow) => CommitTerms]>([
    ['how far a branch got', () => ({ progress: [{ branch: 'facts', from: 0, to: 1 }] })],
    ['that a session ended', () => ({ endSessions: [{ session: 's1', at: 5 }] })],
    [
      'a job to do',
      ({ scope }) => ({ queueJobs: [{ id: 'j', kind: 'consolidate', scope, session: null, at: 5 }] }),
    ],
    ['a job that is done', () => ({ finishJobs: ['j'] })],
  ])('may be %s alone', async (_, termsOf) => {
    const { engine, row, requests } = await opened()
    const terms = termsOf(row)
    expect(await decideAndCommit(engine, row, () => 7, terms)).toEqual({ result: 7, operations: [] })
    const progress = (terms.progress ?? []).map(({ branch, to }) => ({ branch, position: to }))
    const { owner: userId, scope } = row
    expect(requests).toMatchObject([{ userId, scope, operations: [], ...terms, progress }])
  })

  it('counts to the scope’s latest session and round, or to those that are told', async () => {
    const { engine, row } = await opened()
    const { operations } = await decideAndCommit(engine, row, (unit) => addFact(unit))
    expect(operations).toMatchObject([{ at: NOW, sessionNumber: 2, round: 2 }])
    const told = await decideAndCommit(engine, row, (unit) => addFact(unit), {
      at: { sessionNumber: 1, round: 1 },
    })
    expect(told?.operations).toMatchObject([{ at: NOW, sessionNumber: 1, round: 1 }])
  })

  it('is decided by one at a time for a person', async () => {
    const { engine, row } = await opened()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const order: string[] = []
    const before = engine.users.lock(row.owner, () => held)
    const first = decideAndCommit(engine, row, async () => {
      order.push('first')
      await new Promise((resolve) => setImmediate(resolve))
      order.push('first is done')
    })
    const second = decideAndCommit(engine, row, () => order.push('second'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual([])
    release()
    await Promise.all([before, first, second])
    expect(order).toEqual(['first', 'first is done', 'second'])
  })
})

describe('what a unit of work tells', () => {
  it.each([
    ['modify', 'memory-modified'],
    ['delete', 'memory-deleted'],
    ['forget', 'memory-forgotten'],
    ['restore', 'memory-restored'],
  ] as const)('of a %s is %s, with the memory as it is now', async (kind, name) => {
    const place = await openEngine()
    const { engine, row } = place
    await storeMemories(place, makeFact({ id: 'home' }))
    const events = listen(place, name)
    const change = ({ changes }: UnitOfWork) => changes.change(kind, 'home', { pinned: true }, ORIGIN)
    const { operations } = await decideAndCommit(engine, row, change)
    const scope = { tenant: 'default', user: 'ana', agent: null, app: null }
    expect(events).toEqual([
      { scope, operation: operations[0], memory: makeFact({ id: 'home', pinned: true }) },
    ])
  })

  it('of a recall is told once for all that it touched', async () => {
    const place = await openEngine()
    await storeMemories(place, makeFact({ id: 'a' }), makeFact({ id: 'b' }))
    const events = listen(place, 'memories-reinforced')
    const touched = ['a', 'b'].map((memory) => ({ memory, rank: 'first' as const }))
    const { operations } = await decideAndCommit(place.engine, place.row, ({ changes }) => {
      changes.reinforce(touched, ORIGIN)
    })
    const scope = { tenant: 'default', user: 'ana', agent: null, app: null }
    expect(operations).toMatchObject([{ kind: 'reinforce', touched }])
    expect(events).toEqual([{ scope, touched }])
  })
})

describe('a model’s answer', () => {
  it('is paid for once, however often the decision on it is taken', async () => {
    const path = temporaryFile()
    const store = await openSqliteStore({ path })
    let conflicts = 3
    const racing = before(store, async () => ((conflicts -= 1) >= 0 ? 'conflict' : undefined))
    const model = answering({
      segment: segmentAnswer([
        fact('The user lives in Lyon.', 1, 'I live in Lyon', { key: 'residence', value: 'Lyon' }),
      ]),
    })
    const keepsake = await openMemory({ store: racing, model, exchangesPerExtraction: 1 })
    onTestFinished(() => keepsake.close())
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'I live in Lyon now.' })
    await ana.endSession()
    conflicts = 3
    await keepsake.drain()
    const facts = await ana.memories({ forms: ['fact'] })
    expect(facts.map(({ text }) => text)).toEqual(['The user lives in Lyon.'])
    const asked = model.requests.filter(({ schemaName }) => schemaName === 'segment')
    expect(asked).toHaveLength(1)
    expect(conflicts).toBeLessThan(0)
  })
})
