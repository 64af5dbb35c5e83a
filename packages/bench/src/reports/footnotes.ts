import type { Cell, ReportTable } from './report-document.ts'

const MARKS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const

export interface Footnotes {
  /** The mark of an empty cell; empty where it needs none. */
  readonly markOf: (cell: Cell) => string
  readonly notes: readonly { readonly mark: string; readonly text: string }[]
}

/** A mark for each reason of empty cells, in order of appearance. */
export function footnotesOf(table: ReportTable): Footnotes {
  const reasons = [
    ...new Set(table.rows.flatMap(({ cells }) => cells.flatMap(({ missing }) => missing ?? []))),
  ]
  const markAt = (index: number): string => MARKS[index] ?? String(index)
  return {
    markOf: ({ missing }) => (missing === undefined ? '' : markAt(reasons.indexOf(missing))),
    notes: reasons.map((text, index) => ({ mark: markAt(index), text })),
  }
}
