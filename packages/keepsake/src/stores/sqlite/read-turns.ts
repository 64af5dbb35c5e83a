import type { Turn } from '../../turns/turn.ts'
import type { ScopeProgress, SessionPage, SessionRow, TurnQuery } from '../store.ts'
import { decodeMetadata } from './define-functions.ts'
import { requireScope } from './keep-scopes.ts'
import { name, part, Where, type Sql, type SqlPart } from './sql.ts'

/** A turn, or what is left of one that was erased. */
type StoredTurn = Omit<Turn, 'text'> & { readonly text: string | null }

/** Turns that still have their text; what was erased is not among them. */
export function readTurns(sql: Sql, query: TurnQuery): Turn[] {
  const { owner, ids, session, afterPosition, beforePosition, newestFirst } = query
  // Without ids the index by scope and position is the way in, so there is always a scope or a list of them.
  const scopes = query.scopes ?? (ids === undefined ? scopesOf(sql, owner) : undefined)
  const where = new Where().equal('t.owner', owner).and`t.text IS NOT NULL`
    .among('t.id', ids)
    .among('t.scope', scopes)
    .among('t.role', query.roles)
  if (session !== undefined)
    where.and`s.id = ${session} AND t.position BETWEEN s.first_position AND s.last_position`
  if (afterPosition !== undefined) where.and`t.position > ${afterPosition}`
  if (beforePosition !== undefined) where.and`t.position < ${beforePosition}`
  if (query.where !== undefined) where.and`is_meant(${JSON.stringify(query.where)}, t.metadata)`
  // All have their text, as asked.
  return turnRows(sql, where, { limit: query.limit, newestFirst }) as Turn[]
}

/** Turns of which the conditions hold, in order. */
export function turnRows(
  sql: Sql,
  where: SqlPart,
  { limit = -1, newestFirst = false }: Pick<TurnQuery, 'limit' | 'newestFirst'> = {},
): StoredTurn[] {
  const order = name(newestFirst ? 't.scope DESC, t.position DESC' : 't.scope, t.position')
  const rows = sql.all<Omit<StoredTurn, 'metadata'> & { readonly metadata: string | null }>`
    SELECT t.id, t.scope, s.id AS session, t.position, t.role, t.speaker, t.text, t.at, t.time_zone AS timeZone, t.metadata
    FROM turns t JOIN sessions s ON s.session = t.session WHERE ${where} ORDER BY ${order} LIMIT ${limit}`
  return rows.map((row) => ({ ...row, metadata: decodeMetadata(row.metadata) }))
}

function scopesOf(sql: Sql, owner: number): number[] {
  const rows = sql.cells<readonly [number]>`SELECT scope FROM scopes WHERE owner = ${owner} ORDER BY scope`
  return rows.map(([scope]) => scope)
}

/** A session's cells, as they are told. */
const SESSION = part`s.scope, s.id, s.number, s.started_at AS startedAt, s.last_at AS lastAt, s.ended_at AS endedAt`

/** The scope's latest session, where its last turn is of that, as it nearly always is: no other session is looked at. */
function sessionOfLastTurn(sql: Sql, owner: number, scope: number): SessionRow | undefined {
  return sql.get<SessionRow>`SELECT ${SESSION} FROM scopes c
    JOIN turns t ON t.scope = c.scope AND t.position = c.last_position JOIN sessions s ON s.session = t.session
    WHERE c.scope = ${scope} AND c.owner = ${owner} AND s.number = c.last_session`
}

export function readSessions(
  sql: Sql,
  owner: number,
  scopes: readonly number[],
  page: SessionPage = {},
): SessionRow[] {
  const { afterNumber, beforeNumber, newestFirst = false, limit = -1 } = page
  const [scope, ...others] = scopes
  const isLatest = newestFirst && limit === 1 && (afterNumber ?? beforeNumber) === undefined
  const latest =
    isLatest && scope !== undefined && others.length === 0 ? sessionOfLastTurn(sql, owner, scope) : undefined
  if (latest !== undefined) return [latest]
  const where = new Where().equal('c.owner', owner).among('s.scope', scopes)
  if (afterNumber !== undefined) where.and`s.number > ${afterNumber}`
  if (beforeNumber !== undefined) where.and`s.number < ${beforeNumber}`
  const order = name(newestFirst ? 's.scope DESC, s.number DESC' : 's.scope, s.number')
  return sql.all<SessionRow>`SELECT ${SESSION} FROM sessions s JOIN scopes c ON c.scope = s.scope
    WHERE ${where} ORDER BY ${order} LIMIT ${limit}`
}

export function readSession(sql: Sql, scope: number, id: string): SessionRow | undefined {
  return sql.get<SessionRow>`SELECT ${SESSION} FROM sessions s WHERE scope = ${scope} AND id = ${id}`
}

export function readProgress(sql: Sql, owner: number, scope: number): ScopeProgress {
  return sql.read(() => {
    requireScope(sql, owner, scope)
    const lastPosition = sql.value<number>`SELECT last_position FROM scopes WHERE scope = ${scope}` ?? 0
    return { lastPosition, branches: Object.fromEntries(readBranches(sql, scope)) }
  })
}

/** How far each branch has read a scope. */
export function readBranches(sql: Sql, scope: number): Map<string, number> {
  return new Map(
    sql.cells<
      readonly [string, number]
    >`SELECT branch, position FROM progress WHERE scope = ${scope} ORDER BY branch`,
  )
}
