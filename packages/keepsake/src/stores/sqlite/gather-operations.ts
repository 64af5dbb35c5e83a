import type { GatherRequest } from '../store.ts'
import { amongList, type Sql } from './sql.ts'
import { insertOperation } from './write-log.ts'

/** Puts one strengthening in the place of several. */
export function gatherOperations(sql: Sql, { owner, scope, operations, by }: GatherRequest): boolean {
  return sql.write(() => {
    const rows = sql.all<{ operation: number; sequence: number }>`SELECT operation, sequence FROM operations
      WHERE owner = ${owner} AND scope = ${scope} AND kind = 'reinforce' AND id ${amongList(operations)}
      ORDER BY sequence`
    const last = rows.at(-1)
    if (last === undefined || rows.length !== new Set(operations).size) return false
    const gone = amongList(rows.map(({ operation }) => operation))
    const memories = new Map(
      sql.cells<readonly [string, number]>`SELECT id, memory FROM memories
        WHERE owner = ${owner} AND id ${amongList(by.touched.map(({ memory }) => memory))}`,
    )
    sql.run`DELETE FROM operations WHERE operation ${gone}`
    sql.run`DELETE FROM touched WHERE operation ${gone}`
    insertOperation(
      sql,
      owner,
      { operation: { ...by, sequence: last.sequence }, row: last.operation },
      memories,
    )
    return true
  })
}
