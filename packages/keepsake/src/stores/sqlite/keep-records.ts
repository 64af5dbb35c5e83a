import { randomUUID } from 'node:crypto'
import { NotFoundError } from '../../errors/not-found-error.ts'
import type { NewRecord, RecordQuery, StoredRecord } from '../store.ts'
import { decodeMetadata } from './define-functions.ts'
import type { Sql } from './sql.ts'
import { Where } from './where.ts'

type RecordCells = Omit<StoredRecord, 'value'> & { readonly value: string }

const IS_THERE = '(expires_at IS NULL OR expires_at > ?)'
/** Above every character: what begins with a text comes before the text and this. */
const LAST = '\u{10FFFF}'

export function readRecords(sql: Sql, query: RecordQuery, now: number): StoredRecord[] {
  const { collection, owner, prefix, after } = query
  const where = new Where().equal('collection', collection).equal('owner', owner).and(IS_THERE, now)
  if (prefix !== undefined) where.and('key >= ? AND key < ?', prefix, prefix + LAST)
  if (after !== undefined) where.and('key > ?', after)
  return select(sql, where, query.limit)
}

export function readRecord(sql: Sql, collection: string, key: string, now: number): StoredRecord | null {
  const where = new Where().equal('collection', collection).equal('key', key).and(IS_THERE, now)
  return select(sql, where)[0] ?? null
}

function select(sql: Sql, where: Where, limit = -1): StoredRecord[] {
  const rows = sql.all<RecordCells>(
    `SELECT collection, key, owner, version, value FROM records WHERE ${where.text} ORDER BY key LIMIT ?`,
    ...where.values,
    limit,
  )
  return rows.map((row) => ({ ...row, value: decodeMetadata(row.value) ?? {} }))
}

/** @returns `null` where another version is there than was expected. */
export function putRecord(sql: Sql, record: NewRecord, now: number): StoredRecord | null {
  const { collection, key, value, owner = null, lastsMs, expect } = record
  return sql.write(() => {
    sql.run('DELETE FROM records WHERE expires_at <= ?', now)
    if (expect !== undefined && (readRecord(sql, collection, key, now)?.version ?? null) !== expect)
      return null
    if (owner !== null) requireOwner(sql, owner)
    const version = randomUUID()
    sql.run(
      'INSERT OR REPLACE INTO records (collection, key, owner, version, expires_at, value) VALUES (?, ?, ?, ?, ?, ?)',
      collection,
      key,
      owner,
      version,
      lastsMs === undefined ? null : now + lastsMs,
      JSON.stringify(value),
    )
    return { collection, key, value, owner, version }
  })
}

/** Whoever was erased meanwhile must not be written of again. */
function requireOwner(sql: Sql, owner: number): void {
  const isThere =
    sql.value('SELECT 1 FROM owners WHERE owner = ? AND tenant IS NOT NULL', owner) !== undefined
  if (!isThere) throw new NotFoundError('scope', String(owner))
}

export function removeRecord(sql: Sql, collection: string, key: string, version?: string): boolean {
  const where = new Where().equal('collection', collection).equal('key', key).equal('version', version)
  return sql.write(() => sql.run(`DELETE FROM records WHERE ${where.text}`, ...where.values)) > 0
}
