import type { EraseReceipt } from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { part, type SqlPart } from './connection/sql-part.ts'
import type { Database } from './database.ts'

function select(sql: Sql, where: SqlPart): Promise<EraseReceipt[]> {
  return sql.all<EraseReceipt>`SELECT id, at, turns, memories, payloads, documents, scrubbed_at AS "scrubbedAt"
    FROM erasures WHERE ${where} ORDER BY erasure`
}

export async function readReceipt(sql: Sql, owner: number, id: string): Promise<EraseReceipt | undefined> {
  const [receipt] = await select(sql, part`owner = ${owner} AND id = ${id}`)
  return receipt
}

export function readReceipts({ transactions }: Database, owner: number): Promise<EraseReceipt[]> {
  return transactions.read({ owner }, (sql) => select(sql, part`owner = ${owner}`))
}
