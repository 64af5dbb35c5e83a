import { StoreError } from '../../errors/store-error.ts'
import { decodeVector } from './encode-documents.ts'
import type { Sql } from './sql.ts'
import { TABLES, type DocumentKind } from './write-documents.ts'

/** Documents read at a time, their vectors as one blob. Of 256, 512 and 1,024 none is better; smaller ones hold on to less. */
export const RUN = 256

/** A document's row, and the bytes of its vector (`null` without one). */
export interface VectorOf {
  readonly row: number
  readonly bytes: number | null
}

/**
 * The vectors of a run of documents, in their order, fetched as one blob: a blob a row costs more than
 * reading the rows (100k: 540 ms against 315, most of it allocation). Vectors of a run share its memory.
 */
export function readVectorRun(
  sql: Sql,
  kind: DocumentKind,
  run: readonly VectorOf[],
): (Float32Array | null)[] {
  const blob = readRun(sql, kind, run)
  let offset = 0
  return run.map(({ bytes }) => {
    if (bytes === null) return null
    const vector = decodeVector(blob, offset, bytes)
    offset += bytes
    return vector
  })
}

function readRun(sql: Sql, kind: DocumentKind, run: readonly VectorOf[]): Buffer {
  const rows = run.filter(({ bytes }) => bytes !== null).map(({ row }) => row)
  if (rows.length === 0) return Buffer.alloc(0)
  // CROSS JOIN keeps the order of the list. NULL vectors are not in it, and text passes bytes through as they are.
  const { documents, row } = TABLES[kind]
  const blob = sql.value<Buffer | null>`SELECT CAST(group_concat(d.vector, '') AS BLOB)
    FROM json_each(${JSON.stringify(rows)}) j CROSS JOIN ${documents} d ON d.${row} = j.value`
  const expected = run.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
  if (blob?.byteLength === expected) return blob
  throw new StoreError(
    'store-corrupt',
    `Vectors of ${rows.length} ${kind}s could not be read whole. Restore a backup, or reindex.`,
  )
}
