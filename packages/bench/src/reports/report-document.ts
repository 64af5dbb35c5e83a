import type { WrongAnswer } from './report-run.ts'

/** What stands in a cell: a value, and beneath it its interval and what it is over. */
export interface Cell {
  readonly text: string
  readonly interval?: string
  readonly count?: string
  /** Stands out from the others. */
  readonly isStrong?: boolean
  /** Why there is no value; becomes a footnote. */
  readonly missing?: string
}

export interface Column {
  readonly label: string
  /** Columns that follow each other with one group share a heading above theirs: `Updating`. */
  readonly group?: string
  readonly align: 'left' | 'right'
}

export interface Row {
  readonly cells: readonly Cell[]
  /** Rows that follow each other with one group belong together: a category. */
  readonly group?: string
}

export interface ReportTable {
  readonly kind: 'table'
  readonly caption: string
  readonly columns: readonly Column[]
  /** A row's first cell names it. */
  readonly rows: readonly Row[]
  /** Sentences beneath it. */
  readonly notes: readonly string[]
  /** Whether it opens only when asked. */
  readonly isFolded?: boolean
}

/** A picture; Markdown has the same figures in its tables. */
export interface ReportPlots {
  readonly kind: 'plots'
  readonly plots: readonly PlotBlock[]
}

export interface PlotBlock {
  readonly title: string
  /** What it shows, for those who do not see it. */
  readonly description: string
  /** Draws it as an SVG element's text. */
  readonly draw: () => Promise<string>
}

export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'settings'; readonly title: string; readonly text: string }
  | {
      readonly kind: 'wrong-answers'
      readonly runs: readonly {
        readonly label: string
        readonly wrong: number
        readonly answers: readonly WrongAnswer[]
      }[]
    }
  | ReportTable
  | ReportPlots

export interface Section {
  /** Unique in the document, fit for a link. */
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** A report before it is Markdown or HTML. */
export interface ReportDocument {
  readonly title: string
  readonly sections: readonly Section[]
}
