import { describe, expect, it, onTestFinished } from 'vitest'
import { answering, fact, segmentAnswer } from '../../test/script-model.ts'
import { temporaryFile } from '../../test/temporary-file.ts'
import { makeMemory } from '../forget/policies/memory-fixture.ts'
import { openMemory } from '../memory.ts'
import { keepsake as keepsakePreset } from '../presets/keepsake.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { openSqliteStore } from '../stores/sqlite/open-sqlite-store.ts'
import type { ConflictOn, Store } from '../stores/store.ts'
import { wireEngine } from '../wire-engine.ts'
import type { Engine } from './engine.ts'
import { decideAndCommit, type UnitOfWork } from './unit-of-work.ts'

const ORIGIN = { preset: 'test', step: 'test/1', promptVersion: null, model: null }

/** A store of which something happens before each commit, as when another process is first. */
function before(store: Store, happens: (call: number) => Promise<ConflictOn | undefined>): Store {
  let calls = 0
  const commit: Store['commit'] = async (request) => {
    const on = await happens((calls += 1))
    return on === undefined
      ? store.commit(request)
      : { outcome: 'conflict', on, reason: 'somebody was first' }
  }
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'commit') return commit
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

async function open(happens: (call: number) => Promise<ConflictOn | undefined> = async () => undefined) {
  const store = await openSqliteStore({ path: ':memory:' })
  const engine = wireEngine({}, keepsakePreset(), before(store, happens))
  onTestFinished(async () => {
    engine.caches.clear()
    await store.close()
  })
  const row = await store.ensureScope({ tenant: 'default', user: 'ana', agent: null, app: null })
  return { engine, row, store }
}

function addFact({ changes }: UnitOfWork, text = 'The user lives in Lyon.'): string {
  const { id: _id, scope: _scope, origin: _origin, ...rest } = makeMemory({ form: 'fact', text })
  return changes.add(rest, ORIGIN).id
}

async function textsIn(engine: Engine, row: ScopeRow): Promise<string[]> {
  return (await engine.store.memories({ owner: row.owner })).map(({ memory }) => memory.text)
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
      engine.caches.clear()
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
    const [stored] = await store.memories({ owner: row.owner })
    expect(stored?.memory).toMatchObject({ text: 'The user lives in Paris.', pinned: true })
  })

  it.each(['progress', 'job'] as const)('is not decided again when its %s is taken', async (on) => {
    const { engine, row } = await open(async () => on)
    expect(await decideAndCommit(engine, row, (unit) => addFact(unit), {})).toBeNull()
    expect(await textsIn(engine, row)).toEqual([])
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
    await expect(decideAndCommit(engine, row, (unit) => addFact(unit))).rejects.toMatchObject({
      code: 'store-busy',
    })
    expect(await textsIn(engine, row)).toEqual([])
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
