import { onTestFinished } from 'vitest'
import type { EventMap, EventName } from '../events/event-map.ts'
import { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import type { EngineOptions } from '../open-options.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { Preset } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { commit, commitOf } from '../store/contract/samples.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import type { ScopeProgress, Store } from '../store/store.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Turn } from '../turns/turn.ts'
import { wireEngine } from '../wire-engine.ts'
import type { Engine } from './engine.ts'
import { documentsOf, indexText } from './index-text.ts'
import type { ResolvedScope } from './scope-handle.ts'

/** The current time of tests by default: an hour after the turns of `makeTurn`. */
export const NOW = Date.UTC(2026, 2, 5, 13)

/** An engine and the scope of one user. */
export interface TestScope {
  readonly engine: Engine
  readonly row: ScopeRow
}

export interface EngineTraits extends Omit<EngineOptions, 'path' | 'store' | 'preset' | 'retention'> {
  readonly preset?: Preset
  /** Wraps the store, for example to count its calls. */
  readonly wrapStore?: (store: Store) => Store
}

/**
 * Opens an engine with a store in memory and a scope of the user Ana. Ids count up, the clock stands at `NOW`, and the worker runs
 * only when it is drained. The engine is closed at the end of the test.
 */
export async function openEngine({
  preset = keepsake(),
  wrapStore,
  ...options
}: EngineTraits = {}): Promise<TestScope> {
  const store = await openSqliteStore({ path: ':memory:' })
  let idCount = 0
  const newId = (): string => `id-${String((idCount += 1)).padStart(4, '0')}`
  const engine = wireEngine({ now: () => NOW, newId, ...options }, preset, wrapStore?.(store) ?? store)
  onTestFinished(async () => {
    await engine.worker.stop()
    engine.users.clear()
    await store.close()
  })
  const row = await store.ensureScope({ tenant: 'default', user: 'ana', agent: null, app: null })
  return { engine, row }
}

/** Returns the resolved scope of a key that opens only this scope. */
export function resolvedIn({ row }: TestScope): ResolvedScope {
  return { owner: row.owner, rows: [row], scopes: [row.scope] }
}

/** Returns a store with another implementation of one method. */
export function withMethod<Name extends keyof Store>(store: Store, name: Name, method: Store[Name]): Store {
  return new Proxy(store, {
    get: (target, property) => {
      if (property === name) return method
      const original: unknown = Reflect.get(target, property)
      return typeof original === 'function' ? original.bind(target) : original
    },
  })
}

/** Stores turns with the ids t1, t2 and so on. No job is queued, so nothing is extracted from them. */
export async function storeTurns({ engine, row }: TestScope, ...traits: Partial<Turn>[]): Promise<Turn[]> {
  const { owner, scope } = row
  const { lastPosition } = (await engine.users.load(owner)).progress(scope)
  const stored: Turn[] = []
  for (const [index, fields] of traits.entries()) {
    const { session, ...turn } = makeTurn({ id: `t${lastPosition + index + 1}`, ...fields })
    const document = indexText(engine.embedding, turn)
    const { added } = await engine.store.append({
      userId: owner,
      scope,
      session,
      turns: [{ ...turn, document }],
      jobs: [],
    })
    stored.push(...added)
  }
  return stored
}

const EMPTY_CHANGE = commitOf({ owner: 0, scope: 0 }, [])

/** Stores memories with their own ids. */
export async function storeMemories({ engine, row }: TestScope, ...memories: Memory[]): Promise<Memory[]> {
  const ids = memories.flatMap(({ id }) => [id, `add-${id}`])
  const moment = { scope: row.scope, at: engine.now(), sessionNumber: 1, round: 1 }
  const changes = new ChangeSet(
    moment,
    () => ids.shift() ?? '',
    () => undefined,
  )
  for (const { id: _id, scope: _scope, origin, ...memory } of memories) changes.add(memory, origin)
  const { operations } = changes
  const documents = documentsOf(engine, changes)
  const { owner: userId, scope } = row
  await commit(engine.store, {
    ...EMPTY_CHANGE,
    userId,
    scope,
    operations,
    memories: changes.memories,
    documents,
  })
  return changes.memories
}

/** Sets the positions up to which branches have read, without any extraction. */
export async function readTo({ engine, row }: TestScope, branches: ScopeProgress['branches']): Promise<void> {
  const { owner, scope } = row
  const progress = Object.entries(branches).map(([branch, position]) => ({ branch, position }))
  await commit(engine.store, { ...EMPTY_CHANGE, userId: owner, scope, progress })
}

/** Lists the scope's stored memories in order of creation. */
export async function storedMemories({ engine, row }: TestScope): Promise<Memory[]> {
  return (await engine.store.listMemories({ userId: row.owner, scopes: [row.scope] })).map(
    ({ memory }) => memory,
  )
}

/** Returns a list to which each later event of this name is added. */
export function listen<Name extends EventName>(
  { engine }: Pick<TestScope, 'engine'>,
  name: Name,
): EventMap[Name][0][] {
  const emitted: EventMap[Name][0][] = []
  const add = (...[event]: EventMap[Name]): void => void emitted.push(event)
  engine.events.on<EventName>(name, add as (...args: EventMap[EventName]) => void)
  return emitted
}
