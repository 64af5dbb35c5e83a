import { randomUUID } from 'node:crypto'
import { NotFoundError, type NewRecord, type RecordQuery, type StoredRecord } from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { part, Where } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { decodeMetadata } from './metadata.ts'
import { NOW } from './now.ts'

type RecordCells = Omit<StoredRecord, 'value'> & { readonly value: string }

/** Above every character: what begins with a text comes before the text and this. */
const LAST = '\u{10FFFF}'

export function readRecords({ transactions }: Database, query: RecordQuery): Promise<StoredRecord[]> {
  const { collection, owner, prefix, after, limit } = query
  const where = new Where().equal('collection', collection).equal('owner', owner)
  if (prefix !== undefined) where.and`key >= ${prefix} AND key < ${prefix + LAST}`
  if (after !== undefined) where.and`key > ${after}`
  return transactions.read('all', (sql) => select(sql, where, limit))
}

export async function readRecord(
  { transactions }: Database,
  collection: string,
  key: string,
): Promise<StoredRecord | null> {
  const where = new Where().equal('collection', collection).equal('key', key)
  const [record] = await transactions.read('all', (sql) => select(sql, where))
  return record ?? null
}

/** Those that have not expired. */
async function select(sql: Sql, where: Where, limit: number | null = null): Promise<StoredRecord[]> {
  const rows = await sql.all<RecordCells>`SELECT collection, key, owner, version, value FROM records
    WHERE ${where.part} AND (expires_at IS NULL OR expires_at > ${NOW}) ORDER BY key LIMIT ${limit ?? null}`
  return rows.map((row) => ({ ...row, value: decodeMetadata(row.value) ?? {} }))
}

/** @returns `null` where another version is there than was expected. */
export function putRecord({ transactions }: Database, record: NewRecord): Promise<StoredRecord | null> {
  const { collection, key, value, owner = null, lastsMs = null, expect, flush } = record
  return transactions.write(
    'all',
    async (sql) => {
      await sql.run`DELETE FROM records WHERE expires_at <= ${NOW}`
      if (owner !== null) await requireOwner(sql, owner)
      const version = randomUUID()
      const expires = part`CASE WHEN ${lastsMs}::bigint IS NULL THEN NULL ELSE ${NOW} + ${lastsMs ?? 0}::bigint END`
      const row = part`(collection, key, owner, version, expires_at, value)
        VALUES (${collection}, ${key}, ${owner}, ${version}, ${expires}, ${JSON.stringify(value)})`
      const asGiven = part`SET owner = excluded.owner, version = excluded.version,
        expires_at = excluded.expires_at, value = excluded.value`
      // Of two at once the second waits for the first, and then finds it there.
      const written =
        expect === undefined
          ? await sql.run`INSERT INTO records ${row} ON CONFLICT (collection, key) DO UPDATE ${asGiven}`
          : expect === null
            ? await sql.run`INSERT INTO records ${row} ON CONFLICT (collection, key) DO NOTHING`
            : await sql.run`UPDATE records SET owner = ${owner}, version = ${version}, expires_at = ${expires},
                value = ${JSON.stringify(value)} WHERE collection = ${collection} AND key = ${key} AND version = ${expect}`
      return written === 0 ? null : { collection, key, value, owner, version }
    },
    { flush },
  )
}

/** One of nobody's that lasts, as part of what else is being written. */
export function insertRecord(
  sql: Sql,
  { collection, key, value }: Pick<NewRecord, 'collection' | 'key' | 'value'>,
): void {
  sql.send`INSERT INTO records (collection, key, owner, version, expires_at, value)
    VALUES (${collection}, ${key}, NULL, ${randomUUID()}, NULL, ${JSON.stringify(value)})`
}

/** Whoever was erased meanwhile must not be written of again; the erasure waits until it is written. */
async function requireOwner(sql: Sql, owner: number): Promise<void> {
  const found = await sql.value`SELECT 1 FROM owners WHERE owner = ${owner} AND tenant IS NOT NULL FOR SHARE`
  if (found === undefined) throw new NotFoundError('scope', String(owner))
}

export async function removeRecord(
  { transactions }: Database,
  collection: string,
  key: string,
  version?: string,
): Promise<boolean> {
  const where = new Where().equal('collection', collection).equal('key', key).equal('version', version)
  return (await transactions.write('all', (sql) => sql.run`DELETE FROM records WHERE ${where.part}`)) > 0
}
