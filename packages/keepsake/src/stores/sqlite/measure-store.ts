import { statSync } from 'node:fs'
import type { MemoryStatus } from '../../memories/memory.ts'
import type { StoreStats } from '../store.ts'
import { SCHEMA_VERSION } from './open-database.ts'
import type { Sql } from './sql.ts'

export function measureStore(sql: Sql, owner?: number): StoreStats {
  return sql.read(() => {
    const whose = owner === undefined ? '' : 'AND owner = ?'
    const values = owner === undefined ? [] : [owner]
    const count = (from: string): number =>
      sql.value<number>(`SELECT count(*) FROM ${from} ${whose}`, ...values) ?? 0
    const memories: Record<MemoryStatus, number> = {
      live: 0,
      quarantined: 0,
      deleted: 0,
      forgotten: 0,
      erased: 0,
    }
    const byStatus = sql.all<{ status: MemoryStatus; memories: number }>(
      `SELECT status, count(*) AS memories FROM memories WHERE true ${whose} GROUP BY status`,
      ...values,
    )
    for (const row of byStatus) memories[row.status] = row.memories
    return {
      owners: count('owners WHERE tenant IS NOT NULL'),
      scopes: count('scopes WHERE erased = 0'),
      sessions: count('sessions JOIN scopes USING (scope) WHERE true'),
      turns: count('turns WHERE text IS NOT NULL'),
      operations: count('operations WHERE true'),
      memories,
      jobs: count('jobs WHERE true'),
      bytes: measureBytes(sql),
      schema: SCHEMA_VERSION,
    }
  })
}

function measureBytes(sql: Sql): number {
  if (sql.database.memory) {
    return Number(sql.value<number>('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size'))
  }
  const sizes = ['', '-wal'].map(
    (end) => statSync(`${sql.database.name}${end}`, { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((a, b) => a + b)
}
