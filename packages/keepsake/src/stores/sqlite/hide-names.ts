import { erasedId } from '../erased-id.ts'
import { amongList, type Sql } from './sql.ts'

/** After content of turns was erased: their ids go, names of sessions of which nothing is left, and what expires soon anyway and may name either. */
export function hideNames(sql: Sql, owner: number, turns: readonly string[]): void {
  const sessions = sql.all<{ session: number; scope: number; id: string }>`
    SELECT DISTINCT s.session, s.scope, s.id FROM turns t JOIN sessions s ON s.session = t.session
    WHERE t.owner = ${owner} AND t.id ${amongList(turns)}`
  for (const id of turns)
    sql.run`UPDATE turns SET id = ${erasedId(id)} WHERE owner = ${owner} AND id = ${id} AND text IS NULL`
  for (const { session, scope, id } of sessions) {
    const left = sql.value`SELECT 1 FROM turns WHERE session = ${session} AND text IS NOT NULL LIMIT 1`
    if (left !== undefined) continue
    sql.run`UPDATE sessions SET id = ${freeName(sql, scope, erasedId(id))} WHERE session = ${session}`
    sql.run`DELETE FROM jobs WHERE owner = ${owner} AND scope = ${scope} AND session = ${id}`
  }
  sql.run`DELETE FROM records WHERE owner = ${owner} AND expires_at IS NOT NULL`
}

/** A session that was erased may have begun anew under its name, and be erased again. */
function freeName(sql: Sql, scope: number, name: string): string {
  const taken = sql.value<number>`SELECT count(*) FROM sessions
    WHERE scope = ${scope} AND (id = ${name} OR id LIKE ${`${name}-%`})`
  return taken === 0 || taken === undefined ? name : `${name}-${taken}`
}
