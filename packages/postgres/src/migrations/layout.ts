import { FOUND_BY_ALL, OWNED, type Table } from '../tables.ts'

/** How a schema is laid out; chosen when it is made. */
export interface Layout {
  /** Of each table that holds people's rows; 0 for one piece. */
  readonly partitions: number
  /** What follows the columns of a table that holds people's rows. */
  readonly partitioned: string
  /** Makes the partitions of all of them. */
  readonly partitionsOf: () => string
}

/** @param partitions how many of each table, by a hash of the owner; 0 for tables in one piece */
export function layOut(partitions: number): Layout {
  if (partitions === 0) return { partitions, partitioned: '', partitionsOf: () => '' }
  const parts = Array.from({ length: partitions }, (_, remainder) => remainder)
  return {
    partitions,
    partitioned: ' PARTITION BY HASH (owner)',
    partitionsOf: () =>
      OWNED.flatMap((table) =>
        parts.map(
          (remainder) =>
            `CREATE TABLE ${table}_${remainder} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${remainder}); ${wall(`${table}_${remainder}`)}`,
        ),
      ).join('\n'),
  }
}

/** Table by table: a partition asked for by its own name has a wall without a door. */
function wall(table: string): string {
  return `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`
}

const isOwners = `owner = nullif(current_setting('keepsake.owner', true), '')::bigint`
const isSeen = (setting: string): string => `current_setting('keepsake.sees', true) = '${setting}'`

/** What a person said may be counted without knowing whose it is, and nothing else. */
const SAID: readonly Table[] = OWNED.filter((table) => !(FOUND_BY_ALL as readonly Table[]).includes(table))

/** Columns of which Postgres is to keep no samples: people's words, and what was made of them. */
const UNSAMPLED: Readonly<Partial<Record<Table, readonly string[]>>> = {
  people: ['tenant', 'person'],
  owners: ['tenant', 'person'],
  scopes: ['agent', 'app'],
  sessions: ['id'],
  turns: ['speaker', 'time_zone', 'id', 'text', 'metadata', 'terms', 'vector'],
  payloads: ['before', 'after'],
  memories: ['session', 'id', 'state', 'name'],
  memory_documents: ['terms', 'vector'],
  jobs: ['session', 'reason', 'answer'],
  records: ['key', 'value'],
}

/**
 * The second wall: a statement sees the rows of the one owner whom its transaction named, even when it forgot to say so; nothing
 * where none was named. Tables' owners are held by it too (FORCE); superusers never are, so that the store works under a role that is.
 */
export function walls(): string {
  const policies = [
    ...OWNED.map((table) => `CREATE POLICY of_owner ON ${table} USING (${isOwners});`),
    ...FOUND_BY_ALL.map((table) => `CREATE POLICY found_by_all ON ${table} USING (${isSeen('all')});`),
    ...SAID.map((table) => `CREATE POLICY counted ON ${table} FOR SELECT USING (${isSeen('counts')});`),
    `CREATE POLICY counted ON owners FOR SELECT USING (${isSeen('counts')});`,
    `CREATE POLICY counted ON scopes FOR SELECT USING (${isSeen('counts')});`,
    `CREATE POLICY counted ON jobs FOR SELECT USING (${isSeen('counts')});`,
  ]
  const walled = ['people', ...OWNED]
  return [...walled.map((table) => wall(table)), ...policies, ...unsampled()].join('\n')
}

function unsampled(): string[] {
  return Object.entries(UNSAMPLED).flatMap(([table, columns]) =>
    columns.map((column) => `ALTER TABLE ${table} ALTER COLUMN ${column} SET STATISTICS 0;`),
  )
}
