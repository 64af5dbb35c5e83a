import { statSync } from 'node:fs'
import type { MemoryStatus } from '../../memories/memory.ts'
import type { StoreStats } from '../store.ts'
import { SCHEMA_VERSION } from './open-database.ts'
import { name, Where, type Sql } from './sql.ts'

const NO_MEMORIES: Readonly<Record<MemoryStatus, number>> = {
  live: 0,
  quarantined: 0,
  deleted: 0,
  forgotten: 0,
  erased: 0,
}

export function measureStore(sql: Sql, owner?: number): StoreStats {
  return sql.read(() => {
    const whose = new Where().equal('owner', owner)
    const count = (from: string): number =>
      sql.value<number>`SELECT count(*) FROM ${name(from)} AND ${whose}` ?? 0
    const byStatus = sql.cells<readonly [MemoryStatus, number]>`SELECT status, count(*) FROM memories
      WHERE ${whose} GROUP BY status`
    return {
      owners: count('owners WHERE tenant IS NOT NULL'),
      scopes: count('scopes WHERE erased = 0'),
      sessions: count('sessions JOIN scopes USING (scope) WHERE true'),
      turns: count('turns WHERE text IS NOT NULL'),
      operations: count('operations WHERE true'),
      memories: { ...NO_MEMORIES, ...Object.fromEntries(byStatus) },
      jobs: count('jobs WHERE true'),
      bytes: measureBytes(sql),
      schema: SCHEMA_VERSION,
    }
  })
}

function measureBytes(sql: Sql): number {
  if (sql.database.memory)
    return sql.value<number>`SELECT page_count * page_size FROM pragma_page_count, pragma_page_size` ?? 0
  const sizes = ['', '-wal'].map(
    (end) => statSync(`${sql.database.name}${end}`, { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((a, b) => a + b)
}
