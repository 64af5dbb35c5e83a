import type { Setting } from '../memories/make-memory.ts'
import type { SessionRow } from '../stores/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { ScopeView } from './scope-view.ts'

/** Numbers of sessions by their ids, which never change: all are read again only where one of these turns is of a session not seen yet. */
export async function sessionNumbers(
  { engine, row, cache }: ScopeView,
  turns: readonly Pick<Turn, 'session'>[],
): Promise<ReadonlyMap<string, number>> {
  const known = cache.atHand.sessionNumbers(row.scope)
  if (turns.every(({ session }) => known.has(session))) return known
  for (const { id, number } of await engine.store.sessions(row.owner, [row.scope])) known.set(id, number)
  return known
}

/** Gives what is made up to one of these turns the turn's session, round and time. */
export async function settingsByTurn(
  view: ScopeView,
  turns: readonly Pick<Turn, 'session'>[],
): Promise<(last: Turn) => Setting> {
  const { row, cache } = view
  const numbers = await sessionNumbers(view, turns)
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
