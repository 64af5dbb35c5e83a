import type { Setting } from '../memories/make-memory.ts'
import type { SessionRow } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { ScopeView } from './scope-view.ts'

/** The session, round and time of what is made up to a turn. */
export function settingOfTurn({ row, state }: Pick<ScopeView, 'row' | 'state'>, last: Turn): Setting {
  return {
    session: last.session,
    sessionNumber: state.sessionNumber(row.scope, last.session),
    round: state.roundAt(row.scope, last.position),
    learnedAt: last.at,
  }
}

/** What is made of a whole session belongs to its end. */
export function settingOfSession({ row, state }: ScopeView, session: SessionRow): Setting {
  const round = state.roundAt(row.scope, Number.POSITIVE_INFINITY)
  return { session: session.id, sessionNumber: session.number, round, learnedAt: session.lastAt }
}
