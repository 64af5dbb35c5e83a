import { yieldToEventLoop } from './yield-to-event-loop.ts'
import { readScopeKey, requireScopeFields, type ScopeKey, type ScopeRow } from './scopes/scope.ts'
import type { Engine } from './work/engine.ts'
import { isScopeOf, resolveScope, type ResolvedScope } from './work/resolve-scope.ts'

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

  /** The scope's row, created when missing. @throws InvalidInputError for a name that holds a secret */
  async writable(engine: Engine): Promise<ScopeRow> {
    const key = readScopeKey(this.key)
    const { tenant, user, agent, app } = key
    const names = { 'scope.tenant': tenant, 'scope.user': user, 'scope.agent': agent, 'scope.app': app }
    await engine.textGate.requireNames(names)
    const { rows } = await engine.users.find(key)
    return rows.find((row) => isScopeOf(row, key)) ?? engine.store.ensureScope(key)
  }
}
