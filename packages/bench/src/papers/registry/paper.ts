import type { DataSource } from './data-sources.ts'
import type { Reproduction } from './reproduction.ts'

export const PAPER_NAMES = ['moom', 'comedy', 'mmm', 'lufy', 'halumem'] as const
export type PaperName = (typeof PAPER_NAMES)[number]

/** A paper that a preset or this harness is built after, with all that it shows in tables and figures. */
export interface Paper {
  readonly name: PaperName
  /** As it was published. */
  readonly title: string
  /** Who wrote it, and when. */
  readonly authors: string
  /** What it is about, in a sentence. */
  readonly about: string
  readonly items: readonly PaperItem[]
}

/**
 * What stands between a reader and an item's figures.
 *
 * - `deterministic`: its data, and nothing else; every time the same.
 * - `model`: a language model, or a classifier, that a person names.
 * - `data`: data that no one published.
 * - `people`: people who judge or who talk.
 * - `shows`: nothing is measured: a drawing, a prompt, an example.
 */
export const ITEM_STATES = ['deterministic', 'model', 'data', 'people', 'shows'] as const
export type ItemState = (typeof ITEM_STATES)[number]

/** A table, a figure, or a measurement that a paper tells in its text alone. */
export interface PaperItem {
  /** `table 3`, `figure 8`; what the text alone tells by its place: `section 5.3`, `appendix B`. */
  readonly id: string
  /** What it tells, in our words. */
  readonly title: string
  readonly state: ItemState
  /** Why it is in that state: what is needed, or what it shows. A sentence or more. */
  readonly note: string
  /** What it is measured on; absent where nothing is measured. */
  readonly data?: DataSource
  readonly conditions?: Conditions
  /** Its figures; absent where it has none, or where they are only drawn. */
  readonly published?: PublishedTable
  /** The rows and columns by which it is quoted. Absent: the first few that something stands beside. */
  readonly headline?: readonly (readonly [row: string, column: string])[]
  /** How it is measured here; absent where it cannot be. */
  readonly reproduction?: Reproduction
}

/** Under what its figures were obtained. */
export interface Conditions {
  /** What the systems worked with. */
  readonly model?: string
  /** Who answered the questions. */
  readonly reader?: string
  /** Who judged. */
  readonly judge?: string
  /** What compared texts or found memories. */
  readonly embedding?: string
  /** How many memories, how much context, how often, and the like; a sentence each. */
  readonly more?: readonly string[]
}

export const PUBLISHED_UNITS = ['percent', 'share', 'score', 'count', 'minutes'] as const
export type PublishedUnit = (typeof PUBLISHED_UNITS)[number]

/** A table's figures as they were published. */
export interface PublishedTable {
  /** What its numbers are, where its column says nothing else. */
  readonly unit: PublishedUnit
  readonly columns: readonly string[]
  readonly unitOf?: Readonly<Record<string, PublishedUnit>>
  /** A figure for each column; `null` where the paper has none. */
  readonly rows: Readonly<Record<string, readonly (number | null)[]>>
}

/** A published figure; `null` where there is none by these names. */
export function publishedFigure(table: PublishedTable, row: string, column: string): number | null {
  return table.rows[row]?.[table.columns.indexOf(column)] ?? null
}
