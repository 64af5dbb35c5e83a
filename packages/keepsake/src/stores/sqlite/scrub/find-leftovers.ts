/** Bytes of a page, from one to before the other. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** First bytes of b-tree pages: interior and leaf pages of indexes and tables (https://www.sqlite.org/fileformat.html, 1.6). */
const INTERIOR_INDEX = 2
const INTERIOR_TABLE = 5
const LEAF_INDEX = 10
const LEAF_TABLE = 13
const KINDS: ReadonlySet<number> = new Set([INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE])

/** Page 1 begins with the file's own header. */
const FILE_HEADER = 100

/**
 * Where a b-tree page holds bytes that belong to no cell: between its cell pointers and its cells, and in its free blocks. SQLite
 * leaves copies of cells there that moved to other pages, and never reads them. `[]` for pages of other kinds.
 *
 * @param page a whole page, as it stands in the file
 * @param isFirst whether it is page 1
 */
export function findLeftovers(page: Buffer, isFirst: boolean): Span[] {
  const header = isFirst ? FILE_HEADER : 0
  const kind = page.readUInt8(header)
  if (!KINDS.has(kind)) return []
  const isInterior = kind === INTERIOR_INDEX || kind === INTERIOR_TABLE
  const pointers = header + (isInterior ? 12 : 8)
  const from = pointers + 2 * page.readUInt16BE(header + 3)
  const to = page.readUInt16BE(header + 5) || 65_536
  // Not as SQLite writes pages: it is no b-tree page, or damaged, and nothing may be written to it.
  if (from > to || to > page.length) return []
  return [{ from, to }, ...freeBlocks(page, header, to)].filter((span) => !isBlank(page, span))
}

/** Each begins with where the next one is and how long it is itself; they come in rising order. */
function freeBlocks(page: Buffer, header: number, cells: number): Span[] {
  const spans: Span[] = []
  let at = page.readUInt16BE(header + 1)
  let before = cells
  while (at >= before && at + 4 <= page.length) {
    const to = at + page.readUInt16BE(at + 2)
    if (to > page.length || to < at + 4) return spans
    spans.push({ from: at + 4, to })
    before = to
    at = page.readUInt16BE(at)
  }
  return spans
}

/** As long as the largest page. */
export const ZEROS = Buffer.alloc(65_536)

/** Whether nothing but zeros stands there. */
export function isBlank(page: Buffer, { from, to }: Span): boolean {
  return from >= to || page.compare(ZEROS, 0, to - from, from, to) === 0
}
