import {
  readScopeKey,
  requireScopeFields,
  type ScopeKey,
  type ScopeRow,
  type StoredScopeKey,
} from '../scopes/scope.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Users } from '../user-state/users.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { Engine } from './engine.ts'

/** What a request may see: one person, and which of their scopes. */
export interface ResolvedScope {
  readonly owner: number
  readonly rows: readonly ScopeRow[]
  readonly scopes: readonly number[]
  /** The user's state, where it was in memory and as new as the store when the scope was resolved. */
  readonly state?: UserState
}

/** A key that names an agent or app sees exactly that scope; one that names neither, all of the person's. */
export async function resolveScope(
  users: Pick<Users, 'find'>,
  key: StoredScopeKey,
): Promise<ResolvedScope | null> {
  const { rows, state } = await users.find(key)
  const isOne = key.agent !== null || key.app !== null
  const seen = isOne ? rows.filter((row) => isScopeOf(row, key)) : rows
  const [first] = seen
  if (first === undefined) return null
  const scopes = seen.map((row) => row.scope)
  return { owner: first.owner, rows: seen, scopes, ...(state === undefined ? {} : { state }) }
}

/** Whether this is the very scope that the key names. */
export function isScopeOf({ agent, app }: ScopeRow, key: StoredScopeKey): boolean {
  return agent === key.agent && app === key.app
}

/** The engine behind a scope's methods. @internal */
export class ScopeHandle {
  readonly key: ScopeKey
  readonly engine: () => Engine

  constructor(engine: () => Engine, key: ScopeKey) {
    requireScopeFields(key)
    readScopeKey(key)
    this.key = key
    this.engine = engine
  }

  /** Runs a step over the memories that this scope sees. */
  async see<Given extends unknown[], Result>(
    step: (engine: Engine, resolved: ResolvedScope | null, ...given: Given) => Promise<Result>,
    ...given: Given
  ): Promise<Result> {
    const engine = this.engine()
    // A call that finds everything in memory never waits: others that wait for the disk go on first.
    await yieldToEventLoop()
    return step(engine, await this.readable(engine), ...given)
  }

  /** Runs a step that reads usage counters; pending counters are flushed first. */
  async seeUse<Given extends unknown[], Result>(
    step: (engine: Engine, resolved: ResolvedScope | null, ...given: Given) => Promise<Result>,
    ...given: Given
  ): Promise<Result> {
    const engine = this.engine()
    const resolved = await this.readable(engine)
    if (resolved !== null) await engine.usage.write(resolved.owner)
    return step(engine, resolved, ...given)
  }

  async readable(engine: Engine): Promise<ResolvedScope | null> {
    return resolveScope(engine.users, readScopeKey(this.key))
  }
}
