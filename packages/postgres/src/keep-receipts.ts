import type { EraseReceipt } from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { part, type SqlPart } from './connection/sql-part.ts'
import type { Database } from './database.ts'

/** The columns of a receipt. */
export const RECEIPT = part`id, at, turns, memories, payloads, documents, scrubbed_at AS "scrubbedAt"`

function select(sql: Sql, where: SqlPart): Promise<EraseReceipt[]> {
  return sql.all<EraseReceipt>`SELECT ${RECEIPT} FROM erasures WHERE ${where} ORDER BY erasure`
}

export async function readReceipt(sql: Sql, owner: number, id: string): Promise<EraseReceipt | undefined> {
  const [receipt] = await select(sql, part`owner = ${owner} AND id = ${id}`)
  return receipt
}

/** Whosever it is. */
export async function findReceipt({ transactions }: Database, id: string): Promise<EraseReceipt | null> {
  const [receipt] = await transactions.read('all', (sql) => select(sql, part`id = ${id}`))
  return receipt ?? null
}

export function readReceipts({ transactions }: Database, owner: number): Promise<EraseReceipt[]> {
  return transactions.read({ owner }, (sql) => select(sql, part`owner = ${owner}`))
}
