import type { z } from 'zod'
import type { Settings } from './settings.ts'
import type { BenchContext } from '../../benchmark/benchmark.ts'
import type { Figure } from '../../log/figure.ts'
import type { RunSummary } from '../../results/run-summary.ts'
import type { PAPER_OPTIONS } from '../paper-options.ts'

export const PAPER_NAMES = ['moom', 'comedy', 'mmm', 'lufy', 'halumem'] as const
export type PaperName = (typeof PAPER_NAMES)[number]

export interface DataSource {
  readonly name: string
  readonly about: string
  /** Its publisher and form, or that it is unpublished. */
  readonly published: string
  readonly isPublished: boolean
  readonly path: string
  /** The paper's data, where this takes its place. */
  readonly inPlaceOf?: DataSource
  /** The amount that the paper measured on. */
  readonly size: { readonly count: number; readonly of: string }
}

/** A paper behind a preset or this harness, with all its tables and figures. */
export interface Paper {
  readonly name: PaperName
  readonly title: string
  readonly authors: string
  readonly about: string
  readonly items: readonly PaperItem[]
}

/**
 * What an item's figures require.
 * - `deterministic`: its data alone; always the same.
 * - `model`: a language model, or a classifier, named by the caller.
 * - `data`: unpublished data.
 * - `people`: people who judge or talk.
 * - `shows`: nothing is measured: a drawing, a prompt, an example.
 */
export const ITEM_STATES = ['deterministic', 'model', 'data', 'people', 'shows'] as const
export type ItemState = (typeof ITEM_STATES)[number]

/** A table, a figure or a result in the text of a paper, and how it is measured here. */
export interface PaperItem {
  /** `table 3`, `figure 8`; results in the text by their place: `section 5.3`, `appendix B`. */
  readonly id: string
  /** Its subject, in our words. */
  readonly title: string
  readonly state: ItemState
  /** The reason for its state: what is needed, or what it shows. A sentence or more. */
  readonly note: string
  /** Its data; absent where nothing is measured. */
  readonly data?: DataSource
  readonly conditions?: Conditions
  /** Its figures; absent where it has none, or only a drawing. */
  readonly published?: PublishedTable
  /** Rows and columns to quote. Absent: the first few with a counterpart. */
  readonly headline?: readonly (readonly [row: string, column: string])[]
  /** How it is measured here; absent where it cannot be. */
  readonly reproduction?: Reproduction
}

export interface Conditions {
  readonly model?: string
  /** Who answered the questions. */
  readonly reader?: string
  readonly judge?: string
  readonly embedding?: string
  readonly arousal?: string
  readonly surprise?: string
  /** What else holds; a sentence each. */
  readonly more?: readonly string[]
  /**
   * The paper's settings, under the names of a run's configuration; by row where they differ. Every setting that a run has is named:
   * `null` where the paper does not say. Each difference is printed.
   */
  readonly settings?: Settings | ((row: string) => Settings)
}

export const PUBLISHED_UNITS = ['percent', 'share', 'score', 'count', 'minutes'] as const
export type PublishedUnit = (typeof PUBLISHED_UNITS)[number]

export interface PublishedTable {
  /** The unit of its numbers, unless its column names another. */
  readonly unit: PublishedUnit
  readonly columns: readonly string[]
  readonly unitOf?: Readonly<Record<string, PublishedUnit>>
  readonly rows: Readonly<Record<string, readonly (number | null)[]>>
}

/** A published figure; `null` where there is none. */
export function publishedFigure(table: PublishedTable, row: string, column: string): number | null {
  return table.rows[row]?.[table.columns.indexOf(column)] ?? null
}

/** Models that a measurement may use. */
export const MODEL_ROLES = [
  'model',
  'reader',
  'judge',
  'embedding',
  'reranking',
  'likeness',
  'bertscore',
  'arousal',
  'surprise',
] as const

export type ModelRole = (typeof MODEL_ROLES)[number]

export type PaperAsked = Omit<z.output<typeof PAPER_OPTIONS>, 'table' | 'path'> & { readonly path: string }

/** A figure obtained here, in the unit of its column in the paper. */
export interface HereFigure extends Pick<Figure, 'value' | 'interval' | 'count' | 'judge'> {
  /** The measured thing: a system, mostly. */
  readonly row: string
  readonly column: string
  /** The paper's corresponding row; `null`: none. */
  readonly beside: string | null
  readonly unit: PublishedUnit
}

export interface Measured {
  readonly figures: readonly HereFigure[]
  /** The measured amount, in the data source's unit. */
  readonly size: number
  /** sha256 of what was read. */
  readonly dataHash: string
  /** Who answered questions, if any. */
  readonly reader: string | null
  /** The runs behind the figures; none where they are counted from the data alone. */
  readonly runs: readonly RunSummary[]
  readonly remarks: readonly string[]
}

/** How a table is measured here. */
export interface Reproduction {
  readonly needs: readonly ModelRole[]
  /** Optional models that the paper used; without them the figure differs. */
  readonly takes: readonly ModelRole[]
  /** Deviations from the paper, besides data and models; a sentence each. */
  readonly differences: readonly string[] | ((asked: PaperAsked) => readonly string[])
  readonly choosesSystem?: boolean
  /** @throws DatasetError for the data; whatever the benchmarks throw that it runs */
  readonly measure: (asked: PaperAsked, context: BenchContext) => Promise<Measured>
}
