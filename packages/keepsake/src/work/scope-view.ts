// Reads one scope: its state, its moment in time, and the origin and setting of new memories.
import type { ForgettingMoment } from '../forget/policies/forgetting-policy.ts'
import type { ChangeMoment } from '../memories/operation.ts'
import type { Memory, Origin } from '../memories/memory.ts'
import type { ModelTask, LeftOut } from '../models/ask-model.ts'
import { type ScopeRow, eventScope } from '../scopes/scope.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from './engine.ts'
import type { Setting } from '../memories/candidate.ts'
import type { SessionRow } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'

/** One scope with the state of its user. */
export interface ScopeView {
  readonly engine: Engine
  readonly row: ScopeRow
  readonly state: UserState
}

/** The current time, session and round of a scope. */
export type Moment = ChangeMoment & ForgettingMoment

export async function viewScope(engine: Engine, row: ScopeRow): Promise<ScopeView> {
  return { engine, row, state: await engine.users.load(row.owner) }
}

export function memoriesOf({ row, state }: Omit<ScopeView, 'engine'>): Memory[] {
  return [...state.listMemories({ scopes: new Set([row.scope]) })]
}

/** Returns the current time with the scope's latest session and round. */
export function momentOf({ engine, row, state }: ScopeView): Moment {
  const session = state.sessions(row.scope).at(-1)?.number ?? 0
  const round = state.roundAt(row.scope, Number.POSITIVE_INFINITY)
  const now = engine.now()
  return { scope: row.scope, at: now, now, session, sessionNumber: session, round }
}

/** Returns the origin of a step's changes, with prompt and task if a language model was asked. */
export function originOf(
  engine: Engine,
  step: string,
  prompt?: string | null,
  task: ModelTask = 'extraction',
): Origin {
  const isByModel = prompt !== undefined && prompt !== null
  const model = isByModel ? (engine.language?.modelOf(task) ?? null) : null
  const origin = { preset: engine.preset.name, step, promptVersion: isByModel ? prompt : null, model }
  return step === 'api' && engine.actor !== null ? { ...origin, actor: engine.actor } : origin
}

/** Returns the session, round and time of a memory that rests on turns up to this one. */
export function settingOfTurn({ row, state }: Pick<ScopeView, 'row' | 'state'>, last: Turn): Setting {
  return {
    session: last.session,
    sessionNumber: state.sessionNumber(row.scope, last.session),
    round: state.roundAt(row.scope, last.position),
    learnedAt: last.at,
  }
}

/** Returns the session, round and time of a memory that rests on a whole session. */
export function settingOfSession({ row, state }: ScopeView, session: SessionRow): Setting {
  const round = state.roundAt(row.scope, Number.POSITIVE_INFINITY)
  return { session: session.id, sessionNumber: session.number, round, learnedAt: session.lastAt }
}

/** Returns a function that reports what a step left out of a prompt, with the name of the prompt or step. */
export function reportLeftOut(
  { engine, row }: Pick<ScopeView, 'engine' | 'row'>,
  { id, prompt }: { readonly id: string; readonly prompt?: string | null },
): (leftOut: LeftOut) => void {
  return (leftOut) => {
    engine.events.emit('input-left-out', { scope: eventScope(row), prompt: prompt ?? id, ...leftOut })
  }
}
