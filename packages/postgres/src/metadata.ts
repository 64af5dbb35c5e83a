import { matchesMetadata, type Metadata, type MetadataFilter } from 'keepsake/store-kit'
import { name, part, type SqlPart } from './connection/sql-part.ts'

export function encodeMetadata(metadata: Metadata | null | undefined): string | null {
  return metadata === null || metadata === undefined ? null : JSON.stringify(metadata)
}

export function decodeMetadata(text: string | null): Metadata | null {
  return text === null ? null : (JSON.parse(text) as Metadata)
}

/**
 * What leaves out rows that a filter cannot mean, in SQL; what it lets through, the kit's rule decides. Metadata is kept as
 * it was written, so that it comes back to the byte: JSONB would order its keys anew, and takes no NUL.
 */
export function narrows(filter: MetadataFilter, column: string): SqlPart {
  if (matchesMetadata(filter, null)) return part`TRUE`
  return part`${name(column)} IS NOT NULL`
}

/** Rows read at a time while a filter decides on each. */
const PAGE = 500

interface Pages<Row> {
  readonly limit: number | undefined
  /** So many of those that are meant are passed over. */
  readonly skip?: number
  /** The next rows after one, in order. */
  readonly page: (last: Row | null, limit: number | null) => Promise<Row[]>
  readonly isMeant: (row: Row) => boolean
}

/** Rows that a filter means, as many as are asked for; no more are read than that takes. */
export async function filterPages<Row>({ limit, skip = 0, page, isMeant }: Pages<Row>): Promise<Row[]> {
  if (limit === undefined) return (await page(null, null)).filter((row) => isMeant(row)).slice(skip)
  const found: Row[] = []
  let left = skip
  for (let last: Row | null = null; ;) {
    const rows: Row[] = await page(last, PAGE)
    const meant = rows.filter((row) => isMeant(row))
    found.push(...meant.slice(left))
    left = Math.max(0, left - meant.length)
    last = rows.at(-1) ?? null
    if (found.length >= limit || rows.length < PAGE) return found.slice(0, limit)
  }
}
