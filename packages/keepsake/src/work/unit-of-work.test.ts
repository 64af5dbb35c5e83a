import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { answering, fact, segmentAnswer } from '../../test/script-model.ts'
import { temporaryFile } from '../../test/temporary-file.ts'
import { eraseMemories } from '../erase/erase-memories.ts'
import { StoreError } from '../errors/store-error.ts'
import { makeFact, ORIGIN } from '../memories/memory-fixture.ts'
import { openMemory } from '../memory.ts'
import { keepsake as keepsakePreset } from '../presets/keepsake.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import type { CommitRequest, ConflictOn, Store } from '../store/store.ts'
import { wireEngine } from '../wire-engine.ts'
import { instead, listen, NOW, openEngine, resolvedIn, storeMemories, storeTurns } from './engine-fixture.ts'
import type { Engine } from './engine.ts'
import { decideAndCommit, type Terms, type UnitOfWork } from './unit-of-work.ts'

/** How long it waited before it decided again. No test waits for it. */
const waits: number[] = []
beforeEach(() => {
  waits.splice(0)
  vi.spyOn(timers, 'setTimeout').mockImplementation(async (ms) => void waits.push(ms ?? 0))
  syncBuiltinESMExports()
})
afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** A store of which something happens before each commit, as when another process is first. */
function before(store: Store, happens: (call: number) => Promise<ConflictOn | undefined>): Store {
  let calls = 0
  return instead(store, 'commit', async (request) => {
    const on = await happens((calls += 1))
    return on === undefined
      ? store.commit(request)
      : { outcome: 'conflict', on, reason: 'somebody was first' }
  })
}

const open = (happens: (call: number) => Promise<ConflictOn | undefined> = async () => undefined) =>
  openEngine({ around: (store) => before(store, happens) })

function addFact({ changes }: UnitOfWork, text = 'The user lives in Lyon.'): string {
  const { id: _id, scope: _scope, origin: _origin, ...rest } = makeFact({ text })
  return changes.add(rest, ORIGIN).id
}

async function textsIn(engine: Engine, row: ScopeRow): Promise<string[]> {
  return (await engine.store.listMemories({ userId: row.owner })).map(({ memory }) => memory.text)
}

describe('a unit of work', () => {
  it('stores what was decided and what belongs to it together, and then tells it', async () => {
    const { engine, row } = await open()
    const told: string[] = []
    engine.events.on('memory-added', ({ memory }) => told.push(memory.text))
    const progress = [{ branch: 'facts', from: 0, to: 7 }]
    const committed = await decideAndCommit(engine, row, (unit) => addFact(unit), { progress })
    expect(committed?.operations).toMatchObject([{ kind: 'add', memory: committed?.result, sequence: 1 }])
    expect(await textsIn(engine, row)).toEqual(['The user lives in Lyon.'])
    expect((await engine.store.progress(row.owner, row.scope)).branches).toEqual({ facts: 7 })
    expect(told).toEqual(['The user lives in Lyon.'])
  })

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

  it.each(['progress', 'job'] as const)('is not decided again when its %s is taken', async (on) => {
    const { engine, row } = await open(async () => on)
    expect(await decideAndCommit(engine, row, (unit) => addFact(unit), {})).toBeNull()
    expect(await textsIn(engine, row)).toEqual([])
  })

  it('has how far was read seen anew when somebody else was there first', async () => {
    const { engine, row } = await open(async () => 'progress')
    const { branches } = (await engine.users.load(row.owner)).progress(row.scope)
    const terms = { progress: [{ branch: 'facts', from: branches['facts'] ?? 0, to: 7 }] }
    expect(await decideAndCommit(engine, row, (unit) => addFact(unit), terms)).toBeNull()
    expect(engine.users.cached(row.owner)).toBeUndefined()
  })

  it('is decided again after an erasure unless it rests on what was read before', async () => {
    const { engine, row } = await open(async (call) => (call % 2 === 1 ? 'epoch' : undefined))
    expect(await decideAndCommit(engine, row, (unit) => addFact(unit), { epoch: 0 })).toBeNull()
    const { engine: another, row: place } = await open(async (call) => (call === 1 ? 'epoch' : undefined))
    expect(await decideAndCommit(another, place, (unit) => addFact(unit))).not.toBeNull()
    expect(await textsIn(another, place)).toEqual(['The user lives in Lyon.'])
  })

  it('stores nothing of what may no longer be told', async () => {
    const { engine, row } = await open()
    const terms = { stillHolds: () => false, progress: [{ branch: 'facts', from: 0, to: 7 }] }
    expect(await decideAndCommit(engine, row, (unit) => addFact(unit), terms)).toBeNull()
    expect(await textsIn(engine, row)).toEqual([])
    expect((await engine.store.progress(row.owner, row.scope)).branches).toEqual({})
  })

  it('says that the store is busy when others are first every time', async () => {
    const { engine, row } = await open(async () => 'memory')
    let decided = 0
    const busy = new StoreError(
      'store-busy',
      "Other processes changed this person's memories 12 times in between. Try again.",
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
    const requests: CommitRequest[] = []
    const place = await openEngine({
      around: (store) =>
        instead(store, 'commit', async (request) => {
          requests.push(request)
          return store.commit(request)
        }),
    })
    await storeTurns(place, {}, { session: 's2' })
    return { ...place, requests }
  }

  it('succeeds at the last try', async () => {
    const { engine, row } = await open(async (call) => (call < 12 ? 'memory' : undefined))
    expect((await decideAndCommit(engine, row, (unit) => addFact(unit))).operations).toHaveLength(1)
    expect(waits).toHaveLength(11)
  })

  it.each<[string, (row: ScopeRow) => Terms]>([
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
    expect(requests).toMatchObject([{ owner: row.owner, scope: row.scope, operations: [], ...terms }])
  })

  it('rests on the epoch of this try, or on the one that is told', async () => {
    const { engine, row, requests } = await opened()
    const add = (unit: UnitOfWork) => addFact(unit)
    await decideAndCommit(engine, row, add)
    await eraseMemories(engine, resolvedIn({ engine, row }), { turns: ['t1'] })
    await decideAndCommit(engine, row, add)
    await decideAndCommit(engine, row, add, { epoch: 0 })
    expect(requests.map(({ epoch }) => epoch)).toEqual([0, 1, 0])
  })

  it('outlives a failure of power unless nobody waits for it', async () => {
    const { engine, row, requests } = await opened()
    for (const terms of [{}, { flush: true }, { flush: false }])
      await decideAndCommit(engine, row, (unit) => addFact(unit), terms)
    expect(requests.map(({ flush }) => flush)).toEqual([true, true, false])
  })

  it('expects the jobs whose work it is to be there still', async () => {
    const { engine, row, requests } = await opened()
    expect(await decideAndCommit(engine, row, (unit) => addFact(unit), { expectJobs: ['gone'] })).toBeNull()
    expect(requests).toMatchObject([{ expectJobs: ['gone'] }])
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
    expect(events).toEqual([{ scope, operation: operations[0] }])
  })
})

describe('a model’s answer', () => {
  it('is paid for once, however often the decision on it is taken', async () => {
    const path = temporaryFile()
    const store = await openSqliteStore({ path })
    let conflicts = 3
    const racing = before(store, async () => ((conflicts -= 1) >= 0 ? 'memory' : undefined))
    const model = answering({
      segment: segmentAnswer([
        fact('The user lives in Lyon.', 1, 'I live in Lyon', { key: 'residence', value: 'Lyon' }),
      ]),
    })
    const keepsake = await openMemory({ store: racing, model, readEvery: 1 })
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

describe('a state that is not as the store is, at the same revision', () => {
  /** As of a server that crashed, lost a change that was not on its disk, and gave its revision to another. */
  async function openWrong() {
    let lose: () => void = () => {}
    const place = await openEngine({
      around: (store) => instead(store, 'onLoss', (tell) => void (lose = tell)),
    })
    await storeMemories(place, makeFact({ id: 'a', text: 'The user lives in Lyon.' }))
    const state = await place.engine.users.load(place.row.owner)
    const known = state.memories.get('a')
    if (known === undefined) throw new Error('a is not known')
    state.setMemory({ ...known, text: 'The user lives in Oslo.' })
    return { ...place, lose: () => lose() }
  }
  const textOf = async ({ engine, row }: { engine: Engine; row: ScopeRow }) =>
    (await engine.users.load(row.owner)).memories.get('a')?.text

  it('is read anew once the store tells that it may have lost something', async () => {
    const place = await openWrong()
    expect(await textOf(place)).toBe('The user lives in Oslo.')
    place.lose()
    expect(await textOf(place)).toBe('The user lives in Lyon.')
  })
})
