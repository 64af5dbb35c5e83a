// Counts rows for the statistics of a store.
import { sql, type RawBuilder } from 'kysely'
import { MEMORY_STATUSES, type MemoryStatus } from '../../memories/memory.ts'
import type { MemoryCount, StatsFilter, StoreStats } from '../store.ts'
import type { Transaction } from './sql-database.ts'

/** Counts the rows of all users, of one user, or of some scopes of one user. */
export async function countRows(
  tx: Transaction,
  filter: StatsFilter,
): Promise<Omit<StoreStats, 'bytes' | 'schema'>> {
  const { userId, scopes } = filter
  const namesNoScope = scopes?.length === 0
  const count = async (table: CountedTable, condition?: RawBuilder<boolean>): Promise<number> => {
    if (namesNoScope) return 0
    let select = tx.db
      .selectFrom(table as 'turns')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
    if (userId !== undefined) select = select.where('user_id', '=', userId)
    if (scopes !== undefined && table !== 'users') select = select.where('scope_id', 'in', scopes)
    if (condition !== undefined) select = select.where(condition)
    return Number((await select.executeTakeFirst())?.count ?? 0)
  }
  const kinds = namesNoScope ? [] : await countKinds(tx, filter)
  const countStatus = (status: MemoryStatus): number =>
    kinds.reduce((sum, kind) => sum + (kind.status === status ? kind.count : 0), 0)
  return {
    users: await count('users', sql<boolean>`tenant IS NOT NULL`),
    scopes: await count('scopes', sql<boolean>`is_erased = 0`),
    sessions: await count('sessions'),
    turns: await count('turns', sql<boolean>`text IS NOT NULL`),
    operations: await count('operations'),
    memories: Object.fromEntries(
      MEMORY_STATUSES.map((status) => [status, countStatus(status)]),
    ) as StoreStats['memories'],
    kinds,
    jobs: await count('jobs'),
  }
}

type CountedTable = 'users' | 'scopes' | 'sessions' | 'turns' | 'operations' | 'jobs'

async function countKinds({ db }: Transaction, { userId, scopes }: StatsFilter): Promise<MemoryCount[]> {
  const rows = await db
    .selectFrom('memories')
    .select(['status', 'form', 'type'])
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .$if(userId !== undefined, (select) => select.where('user_id', '=', userId ?? 0))
    .$if(scopes !== undefined, (select) => select.where('scope_id', 'in', scopes ?? []))
    .groupBy(['status', 'form', 'type'])
    .orderBy('status')
    .orderBy('form')
    .orderBy('type')
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}
