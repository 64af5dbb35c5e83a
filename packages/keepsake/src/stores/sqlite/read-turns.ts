import type { Turn } from '../../turns/turn.ts'
import type { ScopeProgress, SessionRow, TurnQuery } from '../store.ts'
import { decodeMetadata } from './define-functions.ts'
import { requireScope } from './keep-scopes.ts'
import type { Sql } from './sql.ts'
import { Where } from './where.ts'

const SESSION_COLUMNS =
  's.scope, s.id, s.number, s.started_at AS startedAt, s.last_at AS lastAt, s.ended_at AS endedAt'

/** A turn, or what is left of one that was erased. */
type StoredTurn = Omit<Turn, 'text'> & { readonly text: string | null }

/** Turns that still have their text; what was erased is not among them. */
export function readTurns(sql: Sql, query: TurnQuery): Turn[] {
  const { owner, ids, session, afterPosition } = query
  // Without ids the index by scope and position is the way in, so there is always a scope or a list of them.
  const scopes = query.scopes ?? (ids === undefined ? scopesOf(sql, owner) : undefined)
  const where = new Where()
    .equal('t.owner', owner)
    .and('t.text IS NOT NULL')
    .among('t.id', ids)
    .among('t.scope', scopes)
  if (session !== undefined)
    where.and('s.id = ? AND t.position BETWEEN s.first_position AND s.last_position', session)
  if (afterPosition !== undefined) where.and('t.position > ?', afterPosition)
  if (query.where !== undefined) where.and('is_meant(?, t.metadata)', JSON.stringify(query.where))
  // All have their text, as asked.
  return turnRows(sql, where, query.limit) as Turn[]
}

/** Turns of which the conditions hold, in order. */
export function turnRows(sql: Sql, where: Where, limit = -1): StoredTurn[] {
  const rows = sql.all<Omit<StoredTurn, 'metadata'> & { readonly metadata: string | null }>(
    `SELECT t.id, t.scope, s.id AS session, t.position, t.role, t.speaker, t.text, t.at, t.time_zone AS timeZone, t.metadata
     FROM turns t JOIN sessions s ON s.session = t.session
     WHERE ${where.text} ORDER BY t.scope, t.position LIMIT ?`,
    ...where.values,
    limit,
  )
  return rows.map((row) => ({ ...row, metadata: decodeMetadata(row.metadata) }))
}

function scopesOf(sql: Sql, owner: number): number[] {
  const rows = sql.cells<readonly [number]>('SELECT scope FROM scopes WHERE owner = ? ORDER BY scope', owner)
  return rows.map(([scope]) => scope)
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
