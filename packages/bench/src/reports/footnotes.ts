import type { Cell, ReportTable } from './report-document.ts'

/** The marks of footnotes, in order. */
const MARKS = 'abcdefgh'

/** The footnotes of a table, which explain empty cells. */
export interface Footnotes {
  /** Returns the mark of a cell without a value. Empty for other cells. */
  readonly markOf: (cell: Cell) => string
  readonly notes: readonly { readonly mark: string; readonly text: string }[]
}

/** Gives a mark to each reason for which cells are empty, in order of appearance. */
export function footnotesOf(table: ReportTable): Footnotes {
  const cells = table.rows.flatMap((row) => row.cells)
  const reasons = [...new Set(cells.flatMap(({ missing }) => missing ?? []))]
  const markAt = (index: number): string => MARKS[index] ?? String(index)
  return {
    markOf: ({ missing }) => (missing === undefined ? '' : markAt(reasons.indexOf(missing))),
    notes: reasons.map((text, index) => ({ mark: markAt(index), text })),
  }
}
