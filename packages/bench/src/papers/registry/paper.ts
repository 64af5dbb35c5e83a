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
  /** Who published it and in what form, or that it is unpublished. */
  readonly published: string
  readonly isPublished: boolean
  /** The file or folder that `--path` must name. */
  readonly path: string
  /** The paper's data that this data replaces. Absent: it is the paper's data. */
  readonly inPlaceOf?: DataSource
  /** The amount of data in the paper. `of` is the unit: 10 talks are `{ count: 10, of: 'talks' }`. */
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
 * What is needed to measure an item.
 * - `deterministic`: only its data. The figures are always the same.
 * - `model`: a language model or a classifier.
 * - `data`: unpublished data.
 * - `people`: people who judge or talk.
 * - `shows`: nothing, because the item measures nothing. It is a drawing, a prompt or an example.
 */
export const ITEM_STATES = ['deterministic', 'model', 'data', 'people', 'shows'] as const
export type ItemState = (typeof ITEM_STATES)[number]

/** A table, a figure or a result in the text of a paper, and how it is measured here. */
export interface PaperItem {
  /** `table 3` or `figure 8`. A result in the text has its place as id: `section 5.3`, `appendix B`. */
  readonly id: string
  /** A description of the item, in our words. */
  readonly title: string
  readonly state: ItemState
  /** Explains the state: what is needed, or what the item shows. */
  readonly note: string
  /** Absent: nothing is measured. */
  readonly data?: DataSource
  readonly conditions?: Conditions
  /** The paper's figures. Absent: it has no figures, or only a drawing. */
  readonly published?: PublishedTable
  /** The figures that `docs/papers.md` quotes. Absent: it quotes the first two. */
  readonly headline?: readonly (readonly [row: string, column: string])[]
  /** How the item is measured here. Absent: it cannot be measured. */
  readonly reproduction?: Reproduction
}

/** The conditions under which the paper measured. */
export interface Conditions {
  readonly model?: string
  /** The reader, which answered the questions. */
  readonly reader?: string
  readonly judge?: string
  readonly embedding?: string
  readonly arousal?: string
  readonly surprise?: string
  /** Other conditions, one sentence each. */
  readonly more?: readonly string[]
  /** The paper's settings, by the names of a run's configuration. `null`: the paper does not say. Reports list every difference. */
  readonly settings?: Settings | ((row: string) => Settings)
}

export const PUBLISHED_UNITS = ['percent', 'share', 'score', 'count', 'minutes'] as const
export type PublishedUnit = (typeof PUBLISHED_UNITS)[number]

/** A table of a paper with its numbers. */
export interface PublishedTable {
  /** The unit of the numbers, unless `unitOf` names another for a column. */
  readonly unit: PublishedUnit
  readonly columns: readonly string[]
  readonly unitOf?: Readonly<Record<string, PublishedUnit>>
  readonly rows: Readonly<Record<string, readonly (number | null)[]>>
}

/** Returns a figure of the paper. `null`: the table has none at this place. */
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

/** The options of `keepsake bench paper` for one item. */
export type PaperRequest = Omit<z.output<typeof PAPER_OPTIONS>, 'table' | 'path'> & { readonly path: string }

/** A figure measured here, in the unit of the paper's column. */
export interface MeasuredFigure extends Pick<Figure, 'value' | 'interval' | 'count' | 'judge'> {
  /** The measured row, mostly a system. */
  readonly row: string
  readonly column: string
  /** The row of the paper's table with which the figure is compared. `null`: none. Published results call it `beside`. */
  readonly paperRow: string | null
  readonly unit: PublishedUnit
}

/** The result of measuring an item. */
export interface ItemResult {
  readonly figures: readonly MeasuredFigure[]
  /** The amount of measured data, in the unit of the data source. */
  readonly size: number
  /** sha256 of the data. */
  readonly dataHash: string
  /** The reader, which answered questions. `null`: none was needed. */
  readonly reader: string | null
  /** The runs behind the figures. Empty if the figures were counted from the data. */
  readonly runs: readonly RunSummary[]
  readonly remarks: readonly string[]
}

/** How an item is measured here. */
export interface Reproduction {
  /** Models without which the item cannot be measured. */
  readonly needs: readonly ModelRole[]
  /** Optional models. The paper used such models, so figures without them differ. */
  readonly takes: readonly ModelRole[]
  /** Deviations from the paper other than data and models, one sentence each. */
  readonly differences: readonly string[] | ((request: PaperRequest) => readonly string[])
  /** Whether `--system` may name the measured systems. */
  readonly choosesSystem?: boolean
  /** @throws DatasetError for the data, and any error of the benchmarks that it runs */
  readonly measure: (request: PaperRequest, context: BenchContext) => Promise<ItemResult>
}
