// Finds the scopes that a key opens, and runs steps on them.
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

/** The scopes of one user that a key opens. */
export interface ResolvedScope {
  /** Row number of the user. */
  readonly owner: number
  readonly rows: readonly ScopeRow[]
  readonly scopes: readonly number[]
  /** The user's state, if it was cached and current when the scopes were found. */
  readonly state?: UserState
}

/** Finds the scopes of a key: one scope if it names an agent or app, else all scopes of the user. `null` if there is none. */
export async function resolveScope(
  users: Pick<Users, 'find'>,
  key: StoredScopeKey,
): Promise<ResolvedScope | null> {
  const { rows, state } = await users.find(key)
  const isOne = key.agent !== null || key.app !== null
  const opened = isOne ? rows.filter((row) => isScopeOf(row, key)) : rows
  const [first] = opened
  if (first === undefined) return null
  const scopes = opened.map((row) => row.scope)
  return { owner: first.owner, rows: opened, scopes, ...(state === undefined ? {} : { state }) }
}

/** Checks whether the key names exactly this scope. */
export function isScopeOf({ agent, app }: ScopeRow, key: StoredScopeKey): boolean {
  return agent === key.agent && app === key.app
}

/** Gives the methods of a scope their engine and scopes. @internal */
export class ScopeHandle {
  readonly key: ScopeKey
  readonly engine: () => Engine
  readonly #stored: StoredScopeKey

  constructor(engine: () => Engine, key: ScopeKey) {
    requireScopeFields(key)
    this.#stored = readScopeKey(key)
    this.key = key
    this.engine = engine
  }

  /** Runs a step on the scopes that the key opens. */
  async run<Args extends unknown[], Result>(
    step: (engine: Engine, resolved: ResolvedScope | null, ...args: Args) => Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    const engine = this.engine()
    // A call that finds everything in the cache would never let other calls run.
    await yieldToEventLoop()
    return step(engine, await this.resolve(engine), ...args)
  }

  /** Runs a step that reads usage counters, after pending counters are written. */
  async runWithUsage<Args extends unknown[], Result>(
    step: (engine: Engine, resolved: ResolvedScope | null, ...args: Args) => Promise<Result>,
    ...args: Args
  ): Promise<Result> {
    const engine = this.engine()
    const resolved = await this.resolve(engine)
    if (resolved !== null) await engine.usage.write(resolved.owner)
    return step(engine, resolved, ...args)
  }

  /** Finds the scopes that the key opens. */
  async resolve(engine: Engine): Promise<ResolvedScope | null> {
    return resolveScope(engine.users, this.#stored)
  }
}
