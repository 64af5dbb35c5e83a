import type { Sql } from './sql.ts'

/** The number that stands for a name repeated in many rows: an embedder's, an analyser's, an operation's origin. */
export function numberOfName(sql: Sql, name: string): number {
  const known = sql.value<number>('SELECT number FROM names WHERE name = ?', name)
  return known ?? Number(sql.value<number>('INSERT INTO names (name) VALUES (?) RETURNING number', name))
}

/** All names by number. There are a handful: models, analysers and steps, never a person's words. */
export function readNames(sql: Sql): Map<number, string> {
  const rows = sql.all<{ number: number; name: string }>('SELECT number, name FROM names')
  return new Map(rows.map((row) => [row.number, row.name]))
}
