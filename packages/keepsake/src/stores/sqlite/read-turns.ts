import type { Turn } from '../../turns/turn.ts'
import type { ScopeProgress, SessionRow, TurnQuery } from '../store.ts'
import { requireScope } from './keep-scopes.ts'
import type { Sql, SqlValue } from './sql.ts'

const TURN_COLUMNS = `t.id, t.scope, s.id AS session, t.position, t.role, t.speaker, t.text, t.at, t.time_zone AS timeZone`

const SESSION_COLUMNS =
  's.scope, s.id, s.number, s.started_at AS startedAt, s.last_at AS lastAt, s.ended_at AS endedAt'

/** Turns that still have their text; what was erased is not among them. */
export function readTurns(sql: Sql, query: TurnQuery): Turn[] {
  const conditions = ['t.owner = ?', 't.text IS NOT NULL']
  const values: SqlValue[] = [query.owner]
  const where = (condition: string, value: SqlValue): void => {
    conditions.push(condition)
    values.push(value)
  }
  if (query.ids !== undefined) where('t.id IN (SELECT value FROM json_each(?))', JSON.stringify(query.ids))
  // Without ids the index by scope and position is the way in, so there is always a scope or a list of them.
  const scopes = query.scopes ?? (query.ids === undefined ? scopesOf(sql, query.owner) : undefined)
  const [only] = scopes ?? []
  if (scopes?.length === 1 && only !== undefined) where('t.scope = ?', only)
  else if (scopes !== undefined) where('t.scope IN (SELECT value FROM json_each(?))', JSON.stringify(scopes))
  if (query.session !== undefined) {
    where('s.id = ?', query.session)
    conditions.push('t.position BETWEEN s.first_position AND s.last_position')
  }
  if (query.afterPosition !== undefined) where('t.position > ?', query.afterPosition)
  values.push(query.limit ?? -1)
  return sql.all<Turn>(
    `SELECT ${TURN_COLUMNS} FROM turns t JOIN sessions s ON s.session = t.session
     WHERE ${conditions.join(' AND ')} ORDER BY t.scope, t.position LIMIT ?`,
    ...values,
  )
}

export function scopesOf(sql: Sql, owner: number): number[] {
  return sql
    .all<{ scope: number }>('SELECT scope FROM scopes WHERE owner = ? ORDER BY scope', owner)
    .map((row) => row.scope)
}

export function readSessions(sql: Sql, owner: number, scopes: readonly number[]): SessionRow[] {
  return sql.all<SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions s JOIN scopes c ON c.scope = s.scope
     WHERE c.owner = ? AND s.scope IN (SELECT value FROM json_each(?)) ORDER BY s.scope, s.number`,
    owner,
    JSON.stringify(scopes),
  )
}

export function readSession(sql: Sql, scope: number, id: string): SessionRow | undefined {
  return sql.get<SessionRow>(
    `SELECT ${SESSION_COLUMNS} FROM sessions s WHERE s.scope = ? AND s.id = ?`,
    scope,
    id,
  )
}

export function readProgress(sql: Sql, owner: number, scope: number): ScopeProgress {
  return sql.read(() => {
    requireScope(sql, owner, scope)
    const rows = sql.cells<readonly [string, number]>(
      'SELECT branch, position FROM progress WHERE scope = ? ORDER BY branch',
      scope,
    )
    const lastPosition = sql.value<number>('SELECT last_position FROM scopes WHERE scope = ?', scope) ?? 0
    return { lastPosition, branches: Object.fromEntries(rows) }
  })
}
