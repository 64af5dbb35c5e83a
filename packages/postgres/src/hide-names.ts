import { erasedId } from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'

interface EmptySession {
  readonly scope: number
  readonly number: number
  readonly id: string
}

/** After content of turns was erased: their ids go, and names of sessions of which nothing is left, since either may name someone. */
export async function hideNames(sql: Sql, owner: number, turns: readonly string[]): Promise<void> {
  const empty = await sql.all<EmptySession>`SELECT DISTINCT s.scope, s.number, s.id FROM turns t
    JOIN sessions s ON s.owner = t.owner AND s.scope = t.scope AND s.number = t.session
    WHERE t.owner = ${owner} AND t.id = ANY(${turns}) AND NOT EXISTS (SELECT FROM turns l
      WHERE l.owner = ${owner} AND l.scope = s.scope AND l.session = s.number AND l.text IS NOT NULL)`
  sql.send`UPDATE turns SET id = hidden.to FROM unnest(${turns}::text[], ${turns.map(erasedId)}::text[]) AS hidden (id, "to")
    WHERE turns.owner = ${owner} AND turns.id = hidden.id AND text IS NULL`
  for (const { scope, number, id } of empty) {
    const name = await freeName(sql, owner, scope, erasedId(id))
    sql.send`UPDATE sessions SET id = ${name} WHERE owner = ${owner} AND scope = ${scope} AND number = ${number}`
    sql.send`DELETE FROM jobs WHERE owner = ${owner} AND scope = ${scope} AND session = ${id}`
  }
}

/** A session that was erased may have begun anew under its name, and be erased again. */
async function freeName(sql: Sql, owner: number, scope: number, name: string): Promise<string> {
  const taken = await sql.value<number>`SELECT count(*) FROM sessions
    WHERE owner = ${owner} AND scope = ${scope} AND (id = ${name} OR starts_with(id, ${`${name}-`}))`
  return taken === 0 || taken === undefined ? name : `${name}-${taken}`
}
