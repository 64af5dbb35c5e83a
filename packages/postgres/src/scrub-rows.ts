import type { EraseReceipt } from 'keepsake/store-kit'
import type { Sessions } from './connection/session.ts'
import type { Database } from './database.ts'
import { RECEIPT } from './keep-receipts.ts'
import { NOW } from './now.ts'
import type { Table } from './tables.ts'

/** How thoroughly an erasure clears the tables' files; see docs/security.md for what each leaves. */
export type Scrub = 'vacuum' | 'rewrite'

/** What erasing takes words out of. */
const TABLES: readonly Table[] = [
  'turns',
  'payloads',
  'memories',
  'memory_documents',
  'sessions',
  'scopes',
  'owners',
  'jobs',
  'images',
  'candidates',
  'candidate_words',
]
const NOT_OWNED: readonly Table[] = ['people', 'records']

interface Pending {
  readonly owner: number
  readonly erasure: number
  /** The transaction that erased. */
  readonly writtenBy: number
}

/** What came of a pass. */
export interface Scrubbed {
  /** `false` when older transactions may still read what was erased. */
  readonly isDone: boolean
  readonly proven: readonly EraseReceipt[]
}

/**
 * Rows that no statement sees any more still lie in the tables' files until they are vacuumed, and cannot be while an older
 * transaction could ask for them. Killed anywhere, the receipt still says it is to do.
 */
export async function scrubRows(database: Database, sessions: Sessions, how: Scrub): Promise<Scrubbed> {
  const pending = await readPending(database)
  if (pending.length === 0) return { isDone: true, proven: [] }
  if (!(await isOutOfSight(database, pending))) return { isDone: false, proven: [] }
  for (const table of await tablesOf(database, pending)) await vacuum(sessions, database.schema, table, how)
  return { isDone: true, proven: await markScrubbed(database, pending) }
}

function readPending({ transactions }: Database): Promise<Pending[]> {
  return transactions.read(
    'all',
    (sql) => sql.all<Pending>`SELECT owner, erasure, written_by AS "writtenBy" FROM erasures
      WHERE scrubbed_at IS NULL ORDER BY erasure`,
  )
}

/** Whether no transaction, standby or slot holds on to rows from before. */
async function isOutOfSight({ transactions }: Database, pending: readonly Pending[]): Promise<boolean> {
  const last = Math.max(...pending.map(({ writtenBy }) => writtenBy)) % 2 ** 32
  const held = await transactions.read(
    'all',
    (sql) => sql.value<boolean>`SELECT EXISTS (
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
          AND age(backend_xmin) >= age(${String(last)}::xid))
      OR EXISTS (SELECT FROM pg_replication_slots WHERE age(xmin) >= age(${String(last)}::xid))
      OR EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database()
          AND age(transaction) >= age(${String(last)}::xid))`,
  )
  return held === false
}

/** Of tables in parts only those parts that hold one of these people. */
async function tablesOf({ transactions, schema }: Database, pending: readonly Pending[]): Promise<string[]> {
  const owners = [...new Set(pending.map(({ owner }) => owner))]
  const remainders = await transactions.readOn('all', async (sql) => {
    const partitions = (await sql.value<number>`SELECT partitions FROM migrations WHERE version = 1`) ?? 0
    if (partitions === 0) return null
    const rows = await sql.cells<
      readonly [number]
    >`SELECT DISTINCT r FROM generate_series(0, ${partitions - 1}::int) r,
      unnest(${owners}::bigint[]) o WHERE satisfies_hash_partition(${`${schema}.turns`}::regclass, ${partitions}, r, o)`
    return rows.map(([remainder]) => remainder)
  })
  const parts =
    remainders === null
      ? TABLES
      : TABLES.flatMap((table) => remainders.map((remainder) => `${table}_${remainder}`))
  return [...parts, ...NOT_OWNED]
}

async function vacuum(sessions: Sessions, schema: string, table: string, how: Scrub): Promise<void> {
  await sessions.use((session) =>
    session.command(`VACUUM ${how === 'rewrite' ? '(FULL) ' : ''}${schema}.${table}`),
  )
}

/** @returns the receipts that this completes */
async function markScrubbed(
  { transactions }: Database,
  pending: readonly Pending[],
): Promise<EraseReceipt[]> {
  const erasures = pending.map(({ erasure }) => erasure)
  return transactions.write(
    'all',
    (sql) => sql.all<EraseReceipt>`UPDATE erasures SET scrubbed_at = ${NOW}
      WHERE erasure = ANY(${erasures}) AND scrubbed_at IS NULL RETURNING ${RECEIPT}`,
  )
}
