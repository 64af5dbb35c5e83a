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

/** When a test takes place, unless it says otherwise: an hour after the turns of `makeTurn`. */
export const NOW = Date.UTC(2026, 2, 5, 13)

/** An engine and one person's scope in it. */
export interface TestScope {
  readonly engine: Engine
  readonly row: ScopeRow
}

export interface EngineTraits extends Omit<EngineOptions, 'path' | 'store' | 'preset' | 'retention'> {
  readonly preset?: Preset
  /** Puts something of the test's own before the store. */
  readonly around?: (store: Store) => Store
}

/**
 * An engine over a store that keeps nothing, with ana in it, for tests. Ids count up, the clock stands at `NOW`, the worker
 * waits to be drained, and all is let go of when the test is over.
 */
export async function openEngine({
  preset = keepsake(),
  around,
  ...options
}: EngineTraits = {}): Promise<TestScope> {
  const store = await openSqliteStore({ path: ':memory:' })
  let made = 0
  const newId = (): string => `id-${String((made += 1)).padStart(4, '0')}`
  const engine = wireEngine({ now: () => NOW, newId, ...options }, preset, around?.(store) ?? store)
  onTestFinished(async () => {
    await engine.worker.stop()
    engine.users.clear()
    await store.close()
  })
  const row = await store.ensureScope({ tenant: 'default', user: 'ana', agent: null, app: null })
  return { engine, row }
}

/** What a request sees that asks for this scope alone. */
export function resolvedIn({ row }: TestScope): ResolvedScope {
  return { owner: row.owner, rows: [row], scopes: [row.scope] }
}

/** A member of the store is replaced; the others are as they are. */
export function instead<Name extends keyof Store>(store: Store, name: Name, member: Store[Name]): Store {
  return new Proxy(store, {
    get: (target, asked) => {
      if (asked === name) return member
      const own: unknown = Reflect.get(target, asked)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}

/** Stores turns as they are, t1 and on, with no job queued: nothing is drawn from them unless the test does it. */
export async function storeTurns({ engine, row }: TestScope, ...traits: Partial<Turn>[]): Promise<Turn[]> {
  const { owner, scope } = row
  const { lastPosition } = (await engine.users.load(owner)).progress(scope)
  const stored: Turn[] = []
  for (const [index, one] of traits.entries()) {
    const { session, ...turn } = makeTurn({ id: `t${lastPosition + index + 1}`, ...one })
    const document = indexText(engine.embedding, turn.text)
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

/** A commit that changes nothing. */
const NOTHING = commitOf({ owner: 0, scope: 0 }, [])

/** Stores memories under the ids they have. */
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
  const { memories: made } = changes
  await commit(engine.store, { ...NOTHING, userId, scope, operations, memories: made, documents })
  return changes.memories
}

/** Says how far branches have read, without anything being drawn. */
export async function readTo({ engine, row }: TestScope, branches: ScopeProgress['branches']): Promise<void> {
  const { owner, scope } = row
  const progress = Object.entries(branches).map(([branch, position]) => ({ branch, position }))
  await commit(engine.store, { ...NOTHING, userId: owner, scope, progress })
}

/** The scope's memories as stored, in order of making. */
export async function storedMemories({ engine, row }: TestScope): Promise<Memory[]> {
  return (await engine.store.listMemories({ userId: row.owner, scopes: [row.scope] })).map(
    ({ memory }) => memory,
  )
}

/** What is told under a name from now on. */
export function listen<Name extends EventName>(
  { engine }: Pick<TestScope, 'engine'>,
  name: Name,
): EventMap[Name][0][] {
  const told: EventMap[Name][0][] = []
  const note = (...[event]: EventMap[Name]): void => void told.push(event)
  engine.events.on<EventName>(name, note as (...args: EventMap[EventName]) => void)
  return told
}
