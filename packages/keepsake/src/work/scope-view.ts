import type { ForgettingMoment } from '../forget/policies/forgetting-policy.ts'
import type { ChangeMoment } from '../memories/operation.ts'
import type { Memory, Origin } from '../memories/memory.ts'
import type { ModelTask } from '../models/model-task.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from './engine.ts'

/** One scope, with the state of its user. */
export interface ScopeView {
  readonly engine: Engine
  readonly row: ScopeRow
  readonly state: UserState
}

/** Where a scope stands in time. */
export type Moment = ChangeMoment & ForgettingMoment

export async function viewScope(engine: Engine, row: ScopeRow): Promise<ScopeView> {
  return { engine, row, state: await engine.users.load(row.owner) }
}

/** The scope's memories of any status. */
export function memoriesOf({ row, state }: Omit<ScopeView, 'engine'>): Memory[] {
  return [...state.listMemories({ scopes: new Set([row.scope]) })]
}

/** The scope's latest session and round, now. */
export function momentOf({ engine, row, state }: ScopeView): Moment {
  const session = state.sessions(row.scope).at(-1)?.number ?? 0
  const round = state.roundAt(row.scope, Number.POSITIVE_INFINITY)
  const now = engine.now()
  return { scope: row.scope, at: now, now, session, sessionNumber: session, round }
}

/**
 * The origin of what a step did.
 *
 * @param prompt `prompt/version` where a language model was asked
 * @param task what it was asked for
 */
export function originOf(
  engine: Engine,
  step: string,
  prompt?: string | null,
  task: ModelTask = 'extraction',
): Origin {
  const isByModel = prompt !== undefined && prompt !== null
  const model = isByModel ? (engine.language?.modelOf(task) ?? null) : null
  return { preset: engine.preset.name, step, promptVersion: isByModel ? prompt : null, model }
}
