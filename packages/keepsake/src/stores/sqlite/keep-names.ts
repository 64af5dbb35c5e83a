import type { Sql } from './sql.ts'

/** The number that stands for a name repeated in many rows: an embedder's, an analyser's, an operation's origin. It stays the same for ever. */
export function numberOfName(sql: Sql, name: string): number {
  const number =
    sql.numbers.get(name) ??
    sql.value<number>`SELECT number FROM names WHERE name = ${name}` ??
    sql.insert('names', { name })
  sql.numbers.set(name, number)
  return number
}

/** All names by number. There are a handful: models, analysers and steps, never a person's words. */
export function readNames(sql: Sql): Map<number, string> {
  return new Map(sql.cells<readonly [number, string]>`SELECT number, name FROM names`)
}
