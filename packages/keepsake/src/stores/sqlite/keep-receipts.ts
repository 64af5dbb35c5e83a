import type { EraseReceipt } from '../store.ts'
import { part, type Sql, type SqlPart } from './sql.ts'

function select(sql: Sql, where: SqlPart): EraseReceipt[] {
  return sql.all<EraseReceipt>`SELECT id, at, turns, memories, payloads, documents, scrubbed_at AS scrubbedAt
    FROM erasures WHERE ${where} ORDER BY erasure`
}

export function readReceipt(sql: Sql, id: string): EraseReceipt | undefined {
  return select(sql, part`id = ${id}`)[0]
}

export function readReceipts(sql: Sql, owner: number): EraseReceipt[] {
  return select(sql, part`owner = ${owner}`)
}

/** The newest erasure whose words may still stand in the file; 0 when there is none. */
export function lastUnscrubbed(sql: Sql): number {
  return sql.value<number | null>`SELECT max(erasure) FROM erasures WHERE scrubbed_at IS NULL` ?? 0
}

/** @returns the receipts that this completes. */
export function markScrubbed(sql: Sql, upTo: number, at: number): EraseReceipt[] {
  return sql.write(() => {
    const open = select(sql, part`scrubbed_at IS NULL AND erasure <= ${upTo}`)
    sql.run`UPDATE erasures SET scrubbed_at = ${at} WHERE scrubbed_at IS NULL AND erasure <= ${upTo}`
    return open.map((receipt) => ({ ...receipt, scrubbedAt: at }))
  })
}
