import type { WrongAnswer } from './report-run.ts'

/** A cell of a table: a value, with its interval and count below. */
export interface Cell {
  readonly text: string
  readonly interval?: string
  readonly count?: string
  /** Whether the text is in bold. */
  readonly isStrong?: boolean
  /** Why there is no value. A footnote shows it. */
  readonly missing?: string
}

export interface Column {
  readonly label: string
  /** A heading that adjacent columns share, such as `Updating`. */
  readonly group?: string
  readonly align: 'left' | 'right'
}

export interface Row {
  readonly cells: readonly Cell[]
  /** A heading that adjacent rows share, such as a category. */
  readonly group?: string
}

export interface ReportTable {
  readonly kind: 'table'
  readonly caption: string
  readonly columns: readonly Column[]
  /** The first cell of each row is its name. */
  readonly rows: readonly Row[]
  /** Sentences below the table. */
  readonly notes: readonly string[]
  readonly isFolded?: boolean
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

export interface Section {
  /** Unique in the document, usable as a link. */
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

/** The content of a report, which can be rendered as Markdown or HTML. */
export interface ReportDocument {
  readonly title: string
  readonly sections: readonly Section[]
}
