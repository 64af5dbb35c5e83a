import { randomUUID } from 'node:crypto'
import { NotFoundError } from '../../errors/not-found-error.ts'
import type { NewRecord, RecordQuery, StoredRecord } from '../store.ts'
import { decodeMetadata } from './define-functions.ts'
import { Where, type Sql } from './sql.ts'

type RecordCells = Omit<StoredRecord, 'value'> & { readonly value: string }

/** Above every character: what begins with a text comes before the text and this. */
const LAST = '\u{10FFFF}'

export function readRecords(sql: Sql, query: RecordQuery, now: number): StoredRecord[] {
  const { collection, owner, prefix, after, limit } = query
  const where = new Where().equal('collection', collection).equal('owner', owner)
  if (prefix !== undefined) where.and`key >= ${prefix} AND key < ${prefix + LAST}`
  if (after !== undefined) where.and`key > ${after}`
  return select(sql, where, now, limit)
}

export function readRecord(sql: Sql, collection: string, key: string, now: number): StoredRecord | null {
  const row = sql.get<RecordCells>`SELECT collection, key, owner, version, value FROM records
    WHERE collection = ${collection} AND key = ${key} AND (expires_at IS NULL OR expires_at > ${now})`
  return row === undefined ? null : storedRecord(row)
}

function storedRecord(row: RecordCells): StoredRecord {
  return { ...row, value: decodeMetadata(row.value) ?? {} }
}

/** Those that have not expired. */
function select(sql: Sql, where: Where, now: number, limit = -1): StoredRecord[] {
  const rows = sql.all<RecordCells>`SELECT collection, key, owner, version, value FROM records
    WHERE ${where} AND (expires_at IS NULL OR expires_at > ${now}) ORDER BY key LIMIT ${limit}`
  return rows.map(storedRecord)
}

/** @returns `null` where another version is there than was expected. */
export function putRecord(sql: Sql, record: NewRecord, now: number): StoredRecord | null {
  const { collection, key, value, owner = null, lastsMs, expect } = record
  return sql.write(() => {
    sql.run`DELETE FROM records WHERE expires_at <= ${now}`
    if (expect !== undefined && (readRecord(sql, collection, key, now)?.version ?? null) !== expect)
      return null
    if (owner !== null) requireOwner(sql, owner)
    const version = randomUUID()
    const expires_at = lastsMs === undefined ? null : now + lastsMs
    sql.replace('records', { collection, key, owner, version, expires_at, value: JSON.stringify(value) })
    return { collection, key, value, owner, version }
  })
}

/** One of nobody's that lasts, as part of what else is being written. */
export function insertRecord(
  sql: Sql,
  { collection, key, value }: Pick<NewRecord, 'collection' | 'key' | 'value'>,
): void {
  const version = randomUUID()
  sql.replace('records', {
    collection,
    key,
    owner: null,
    version,
    expires_at: null,
    value: JSON.stringify(value),
  })
}

/** Whoever was erased meanwhile must not be written of again. */
function requireOwner(sql: Sql, owner: number): void {
  const found = sql.value`SELECT 1 FROM owners WHERE owner = ${owner} AND tenant IS NOT NULL`
  if (found === undefined) throw new NotFoundError('scope', String(owner))
}

export function removeRecord(sql: Sql, collection: string, key: string, version?: string): boolean {
  const where = new Where().equal('collection', collection).equal('key', key).equal('version', version)
  return sql.write(() => sql.run`DELETE FROM records WHERE ${where}`) > 0
}
