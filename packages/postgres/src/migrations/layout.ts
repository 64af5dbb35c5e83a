/** How a schema is laid out; chosen when it is made. */
export interface Layout {
  /** Of each table that holds people's rows; 0 for one piece. */
  readonly partitions: number
  /** What follows the columns of a table that holds people's rows. */
  readonly partitioned: string
  /** Makes the partitions of such tables. */
  readonly partitionsOf: (tables: readonly string[]) => string
}

/** @param partitions how many of each table, by a hash of the owner; 0 for tables in one piece */
export function layOut(partitions: number): Layout {
  if (partitions === 0) return { partitions, partitioned: '', partitionsOf: () => '' }
  const parts = Array.from({ length: partitions }, (_, remainder) => remainder)
  return {
    partitions,
    partitioned: ' PARTITION BY HASH (owner)',
    partitionsOf: (tables) =>
      tables
        .flatMap((table) =>
          parts.map(
            (remainder) =>
              `CREATE TABLE ${table}_${remainder} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${remainder}); ${wall(`${table}_${remainder}`)}`,
          ),
        )
        .join('\n'),
  }
}

/** Table by table: a partition asked for by its own name has a wall without a door. */
function wall(table: string): string {
  return `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`
}

const IS_OWNERS = `owner = nullif(current_setting('keepsake.owner', true), '')::bigint`
const isSeen = (setting: string): string => `current_setting('keepsake.sees', true) = '${setting}'`

/** Which tables have which doors in their walls. */
export interface Walls {
  /** Whose every row is one person's: seen by a transaction that named that person. */
  readonly owned: readonly string[]
  /** What a worker, a list of people or an erasure to finish has to find without knowing whose it is; nothing said is in them. */
  readonly foundByAll: readonly string[]
  /** What may be counted without knowing whose it is. */
  readonly counted: readonly string[]
}

/**
 * The second wall: a statement sees the rows of the one owner whom its transaction named, even when it forgot to say so; nothing
 * where none was named. Tables' owners are held by it too (FORCE); superusers never are, so that the store works under a role that is.
 */
export function wallIn({ owned, foundByAll, counted }: Walls): string {
  return [
    ...new Set([...owned, ...foundByAll].map(wall)),
    ...owned.map((table) => `CREATE POLICY of_owner ON ${table} USING (${IS_OWNERS});`),
    ...foundByAll.map((table) => `CREATE POLICY found_by_all ON ${table} USING (${isSeen('all')});`),
    ...counted.map((table) => `CREATE POLICY counted ON ${table} FOR SELECT USING (${isSeen('counts')});`),
  ].join('\n')
}

/** Columns of which Postgres is to keep no samples, by table: people's words, and what was made of them. */
export function unsampled(columns: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(columns)
    .flatMap(([table, names]) =>
      names.map((column) => `ALTER TABLE ${table} ALTER COLUMN ${column} SET STATISTICS 0;`),
    )
    .join('\n')
}
