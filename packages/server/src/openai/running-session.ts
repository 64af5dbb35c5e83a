import type { Keepsake, ScopeKey } from 'keepsake'

/**
 * The session that the engine will put a turn into when none is named: the last one while it is open and not silent for
 * longer than the preset's gap, else a new one. Known beforehand, since ids of turns rest on it: the same greeting on another
 * day is another turn.
 */
export async function runningSession(keepsake: Keepsake, scope: ScopeKey, at: number): Promise<string> {
  const { tenant = 'default', user, agent = null, app = null } = scope
  const rows = await keepsake.scopes({ tenant, user })
  const own = rows.find((row) => row.agent === agent && row.app === app)
  const sessions = own === undefined ? [] : await keepsake.scope(scope).sessions()
  const last = sessions.findLast((session) => session.scope === own?.scope)
  if (last === undefined) return 'session-1'
  const isOver = last.endedAt !== null || at - last.lastAt > keepsake.preset.sessionGap
  return isOver ? `session-${last.number + 1}` : last.id
}
