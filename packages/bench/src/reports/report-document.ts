import type { WrongAnswer } from './report-run.ts'

/** A cell's contents: a value, with its interval and count below. */
export interface Cell {
  readonly text: string
  readonly interval?: string
  readonly count?: string
  /** Highlighted. */
  readonly isStrong?: boolean
  /** The reason of a missing value, as a footnote. */
  readonly missing?: string
}

export interface Column {
  readonly label: string
  /** Adjacent columns of one group share a heading: `Updating`. */
  readonly group?: string
  readonly align: 'left' | 'right'
}

export interface Row {
  readonly cells: readonly Cell[]
  /** Adjacent rows of one group belong together: a category. */
  readonly group?: string
}

export interface ReportTable {
  readonly kind: 'table'
  readonly caption: string
  readonly columns: readonly Column[]
  /** A row's first cell names it. */
  readonly rows: readonly Row[]
  /** Sentences below it. */
  readonly notes: readonly string[]
  readonly isFolded?: boolean
}

/** A plot; Markdown has the same figures in its tables. */
export interface ReportPlots {
  readonly kind: 'plots'
  readonly plots: readonly PlotBlock[]
}

export interface PlotBlock {
  readonly title: string
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
  /** Unique in the document, usable as a link. */
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** A report before it is Markdown or HTML. */
export interface ReportDocument {
  readonly title: string
  readonly sections: readonly Section[]
}
