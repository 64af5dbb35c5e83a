import type { Setting } from '../memories/make-memory.ts'
import type { SessionRow } from '../stores/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { ScopeView } from './scope-view.ts'

/** Gives what is made up to a turn the turn's session, round and time. */
export async function settingsByTurn(view: ScopeView): Promise<(last: Turn) => Setting> {
  const { engine, row, cache } = view
  const sessions = await engine.store.sessions(row.owner, [row.scope])
  const numbers = new Map(sessions.map((session) => [session.id, session.number]))
  return (last) => ({
    session: last.session,
    sessionNumber: numbers.get(last.session) ?? 0,
    round: cache.roundAt(row.scope, last.position),
    learnedAt: last.at,
  })
}

/** What is made of a whole session belongs to its end. */
export function settingOfSession({ row, cache }: ScopeView, session: SessionRow): Setting {
  const round = cache.roundAt(row.scope, Number.POSITIVE_INFINITY)
  return { session: session.id, sessionNumber: session.number, round, learnedAt: session.lastAt }
}
