import {
  MEMORY_STATUSES,
  type MemoryCount,
  type MemoryStatus,
  type ScopeCounts,
  type StoreStats,
} from 'keepsake/store-kit'
import { name, Where } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { SCHEMA_VERSION } from './migrations/index.ts'
import type { Table } from './tables.ts'

export function measureStore({ transactions, schema }: Database, owner?: number): Promise<StoreStats> {
  return transactions.read(owner === undefined ? 'counts' : { owner }, async (sql) => {
    const count = async (table: Table, condition = 'TRUE'): Promise<number> => {
      const whose = new Where().equal('owner', owner).and`${name(condition)}`
      return (await sql.value<number>`SELECT count(*) FROM ${name(table)} WHERE ${whose.part}`) ?? 0
    }
    const whose = new Where().equal('owner', owner).part
    const [owners, scopes, sessions, turns, operations, jobs, byStatus, bytes] = await Promise.all([
      count('owners', 'tenant IS NOT NULL'),
      count('scopes', 'NOT erased'),
      count('sessions'),
      count('turns', 'text IS NOT NULL'),
      count('operations'),
      count('jobs'),
      sql.cells<
        readonly [MemoryStatus, number]
      >`SELECT status, count(*) FROM memories WHERE ${whose} GROUP BY status`,
      sql.value<number>`SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ${schema} AND c.relkind = 'r'`,
    ])
    const known = new Map(byStatus)
    const memories = Object.fromEntries(MEMORY_STATUSES.map((status) => [status, known.get(status) ?? 0]))
    return {
      owners,
      scopes,
      sessions,
      turns,
      operations,
      memories: memories as StoreStats['memories'],
      jobs,
      bytes: bytes ?? 0,
      schema: SCHEMA_VERSION,
    }
  })
}

/** How much there is of these scopes of one person. */
export function countScopes(
  { transactions }: Database,
  owner: number,
  scopes: readonly number[],
): Promise<ScopeCounts> {
  return transactions.read({ owner }, async (sql) => {
    const whose = new Where().and`owner = ${owner}`.among('scope', scopes).part
    const count = async (table: Table, condition = 'TRUE'): Promise<number> =>
      (await sql.value<number>`SELECT count(*) FROM ${name(table)} WHERE ${whose} AND ${name(condition)}`) ??
      0
    const [sessions, turns, operations, memories] = await Promise.all([
      count('sessions'),
      count('turns', 'text IS NOT NULL'),
      count('operations'),
      sql.all<MemoryCount>`SELECT status, form, type, count(*) AS count FROM memories WHERE ${whose}
        GROUP BY status, form, type ORDER BY status COLLATE "C", form COLLATE "C", type COLLATE "C"`,
    ])
    return { sessions, turns, operations, memories }
  })
}
