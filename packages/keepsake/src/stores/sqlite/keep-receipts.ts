import type { EraseReceipt } from '../store.ts'
import type { Sql } from './sql.ts'

const COLUMNS = 'id, at, turns, memories, payloads, documents, scrubbed_at AS scrubbedAt'

export function readReceipt(sql: Sql, id: string): EraseReceipt | undefined {
  return sql.get<EraseReceipt>(`SELECT ${COLUMNS} FROM erasures WHERE id = ?`, id)
}

export function readReceipts(sql: Sql, owner: number): EraseReceipt[] {
  return sql.all<EraseReceipt>(`SELECT ${COLUMNS} FROM erasures WHERE owner = ? ORDER BY erasure`, owner)
}

/** The newest erasure whose words may still stand in the file; 0 when there is none. */
export function lastUnscrubbed(sql: Sql): number {
  return sql.value<number | null>('SELECT max(erasure) FROM erasures WHERE scrubbed_at IS NULL') ?? 0
}

export function markScrubbed(sql: Sql, upTo: number, at: number): void {
  sql.write(() => {
    sql.run('UPDATE erasures SET scrubbed_at = ? WHERE scrubbed_at IS NULL AND erasure <= ?', at, upTo)
  })
}
