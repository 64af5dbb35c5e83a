import { statSync } from 'node:fs'
import { MEMORY_STATUSES, type MemoryStatus } from '../../memories/memory.ts'
import type { MemoryCount, ScopeCounts, StoreStats } from '../store.ts'
import { SCHEMA_VERSION } from './open-database.ts'
import { amongList, name, Where, type Sql } from './sql.ts'

export function measureStore(sql: Sql, owner?: number): StoreStats {
  return sql.read(() => {
    const whose = new Where().equal('owner', owner)
    const count = (from: string): number =>
      sql.value<number>`SELECT count(*) FROM ${name(from)} AND ${whose}` ?? 0
    const byStatus = new Map(
      sql.cells<readonly [MemoryStatus, number]>`SELECT status, count(*) FROM memories
        WHERE ${whose} GROUP BY status`,
    )
    const statuses = MEMORY_STATUSES.map((status) => [status, byStatus.get(status) ?? 0])
    return {
      owners: count('owners WHERE tenant IS NOT NULL'),
      scopes: count('scopes WHERE erased = 0'),
      sessions: count('sessions JOIN scopes USING (scope) WHERE true'),
      turns: count('turns WHERE text IS NOT NULL'),
      operations: count('operations WHERE true'),
      memories: Object.fromEntries(statuses) as StoreStats['memories'],
      jobs: count('jobs WHERE true'),
      bytes: measureBytes(sql),
      schema: SCHEMA_VERSION,
    }
  })
}

/** How much there is of these scopes of one person. */
export function countScopes(sql: Sql, owner: number, scopes: readonly number[]): ScopeCounts {
  const ours = amongList(scopes)
  const count = (from: string): number =>
    sql.value<number>`SELECT count(*) FROM ${name(from)} AND scope ${ours}
      AND scope IN (SELECT scope FROM scopes WHERE owner = ${owner})` ?? 0
  return sql.read(() => ({
    sessions: count('sessions WHERE true'),
    turns: count('turns WHERE text IS NOT NULL'),
    operations: count('operations WHERE true'),
    // What a blank memory has anyway is not in the state.
    memories: sql.all<MemoryCount>`SELECT m.status, m.form,
        coalesce(coalesce(m.state, p.after) ->> 'type', 'event') AS type, count(*) AS count
      FROM memories m LEFT JOIN payloads p ON p.operation = m.payload
      WHERE m.owner = ${owner} AND m.scope ${ours} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
  }))
}

export function measureBytes(sql: Sql): number {
  if (sql.database.memory)
    return sql.value<number>`SELECT page_count * page_size FROM pragma_page_count, pragma_page_size` ?? 0
  const sizes = ['', '-wal'].map(
    (end) => statSync(`${sql.database.name}${end}`, { throwIfNoEntry: false })?.size ?? 0,
  )
  return sizes.reduce((a, b) => a + b)
}
