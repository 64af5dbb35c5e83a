import {
  matchesMetadata,
  type ScopeProgress,
  type SessionPage,
  type SessionRow,
  type Turn,
  type TurnQuery,
} from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { name, part, Where, type SqlPart } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { knownScopes, requireScopes } from './keep-scopes.ts'
import { decodeMetadata, filterPages, narrows } from './metadata.ts'

/** A turn, or what is left of one that was erased. */
export type StoredTurn = Omit<Turn, 'text'> & { readonly text: string | null }

/** Turns that still have their text; what was erased is not among them. */
export function readTurns({ transactions }: Database, query: TurnQuery): Promise<Turn[]> {
  const { owner, ids, session, afterPosition, beforePosition, newestFirst = false, where: meant } = query
  const where = new Where().and`t.owner = ${owner} AND t.text IS NOT NULL`
    .among('t.id', ids)
    .among('t.scope', query.scopes)
    .among('t.role', query.roles)
  if (session !== undefined) where.and`s.id = ${session}`
  if (afterPosition !== undefined) where.and`t.position > ${afterPosition}`
  if (beforePosition !== undefined) where.and`t.position < ${beforePosition}`
  const work = async (sql: Sql): Promise<Turn[]> => {
    // All have their text, as asked.
    const read = (more: SqlPart, limit: number | null): Promise<Turn[]> =>
      turnRows(sql, part`${where.part} AND ${more}`, { limit, newestFirst }) as Promise<Turn[]>
    if (meant === undefined) return read(part`TRUE`, query.limit ?? null)
    const narrowed = narrows(meant, 't.metadata')
    return filterPages<Turn>({
      limit: query.limit,
      page: (last, limit) =>
        read(
          last === null
            ? narrowed
            : part`${narrowed} AND (t.scope, t.position) ${name(newestFirst ? '<' : '>')} (${last.scope}, ${last.position})`,
          limit,
        ),
      isMeant: (turn) => matchesMetadata(meant, turn.metadata),
    })
  }
  return meant === undefined ? transactions.read({ owner }, work) : transactions.readOn({ owner }, work)
}

/** Turns of which the conditions hold, in order. `null`: all of them. */
export async function turnRows(
  sql: Sql,
  where: SqlPart,
  {
    limit = null,
    newestFirst = false,
  }: { readonly limit?: number | null; readonly newestFirst?: boolean } = {},
): Promise<StoredTurn[]> {
  const order = name(newestFirst ? 't.scope DESC, t.position DESC' : 't.scope, t.position')
  const rows = await sql.all<Omit<StoredTurn, 'metadata'> & { readonly metadata: string | null }>`
    SELECT t.id, t.scope, s.id AS session, t.position, t.role, t.speaker, t.text, t.at, t.time_zone AS "timeZone", t.metadata
    FROM turns t JOIN sessions s ON s.owner = t.owner AND s.scope = t.scope AND s.number = t.session
    WHERE ${where} ORDER BY ${order} LIMIT ${limit}`
  return rows.map((row) => ({ ...row, metadata: decodeMetadata(row.metadata) }))
}

const SESSION = part`scope, id, number, started_at AS "startedAt", last_at AS "lastAt", ended_at AS "endedAt"`

export function readSessions(
  { transactions }: Database,
  owner: number,
  scopes: readonly number[],
  page: SessionPage = {},
): Promise<SessionRow[]> {
  return transactions.read({ owner }, (sql) => sessionRows(sql, owner, scopes, page))
}

export function sessionRows(
  sql: Sql,
  owner: number,
  scopes: readonly number[],
  { afterNumber, beforeNumber, newestFirst = false, limit }: SessionPage = {},
): Promise<SessionRow[]> {
  const where = new Where().and`owner = ${owner}`.among('scope', scopes)
  if (afterNumber !== undefined) where.and`number > ${afterNumber}`
  if (beforeNumber !== undefined) where.and`number < ${beforeNumber}`
  const order = name(newestFirst ? 'scope DESC, number DESC' : 'scope, number')
  return sql.all<SessionRow>`SELECT ${SESSION} FROM sessions
    WHERE ${where.part} ORDER BY ${order} LIMIT ${limit ?? null}`
}

/** Sessions with one of these ids, in one scope. */
export function readSessionsNamed(
  sql: Sql,
  owner: number,
  scope: number,
  ids: readonly string[],
): Promise<SessionRow[]> {
  return sql.all<SessionRow>`SELECT ${SESSION} FROM sessions
    WHERE owner = ${owner} AND scope = ${scope} AND id = ANY(${ids})`
}

export function readProgress(
  { transactions }: Database,
  owner: number,
  scope: number,
): Promise<ScopeProgress> {
  return transactions.read({ owner }, (sql) => progressOf(sql, owner, scope))
}

/** How far each scope of a person was read that is not erased. */
export async function progressOfAll(sql: Sql, owner: number): Promise<Map<number, ScopeProgress>> {
  const [scopes, branches] = await Promise.all([
    sql.cells<
      readonly [number, number]
    >`SELECT scope, last_position FROM scopes WHERE owner = ${owner} AND NOT erased`,
    sql.cells<readonly [number, string, number]>`SELECT scope, branch, position FROM progress
      WHERE owner = ${owner} ORDER BY branch COLLATE "C"`,
  ])
  const byScope = Map.groupBy(branches, ([scope]) => scope)
  return new Map(
    scopes.map(([scope, lastPosition]) => {
      const reached = (byScope.get(scope) ?? []).map(([, branch, position]) => [branch, position] as const)
      return [scope, { lastPosition, branches: Object.fromEntries(reached) }]
    }),
  )
}

export async function progressOf(sql: Sql, owner: number, scope: number): Promise<ScopeProgress> {
  const [known, rows, lastPosition] = await Promise.all([
    knownScopes(sql, owner, [scope]),
    sql.cells<readonly [string, number]>`SELECT branch, position FROM progress
      WHERE owner = ${owner} AND scope = ${scope} ORDER BY branch COLLATE "C"`,
    sql.value<number>`SELECT last_position FROM scopes WHERE owner = ${owner} AND scope = ${scope}`,
  ])
  requireScopes(known, [scope])
  return { lastPosition: lastPosition ?? 0, branches: Object.fromEntries(rows) }
}
