import type { BenchContext } from '../../benchmark/benchmark.ts'
import type { RunSummary } from '../../results/run-summary.ts'
import type { PublishedUnit } from './paper.ts'

/** Models that a measurement may use. */
export const MODEL_ROLES = ['model', 'reader', 'judge', 'embedding', 'likeness', 'bertscore'] as const
export type ModelRole = (typeof MODEL_ROLES)[number]

/** The options of a table. */
export interface PaperAsked {
  /** The data's file or folder, in its published form. */
  readonly path: string
  /** Measured systems, replacing the table's own. */
  readonly system?: readonly string[] | undefined
  /** The systems' language model. */
  readonly model?: string | undefined
  readonly embedding?: string | undefined
  readonly likeness?: string | undefined
  readonly bertscore?: string | undefined
  readonly reader?: string | undefined
  readonly judge?: string | undefined
  /** In seconds. */
  readonly modelTimeout?: number | undefined
  /** Most conversations to measure. */
  readonly limit?: number | undefined
}

/** A figure obtained here, in the unit of its column in the paper. */
export interface HereFigure {
  /** The measured thing: a system, mostly. */
  readonly row: string
  readonly column: string
  /** The paper's corresponding row; `null`: none. */
  readonly beside: string | null
  readonly value: number | null
  /** 95 %. */
  readonly interval: { readonly low: number; readonly high: number } | null
  /** The number of items. */
  readonly count: number
  readonly unit: PublishedUnit
  /** The judge: `deterministic` (by rule) or a model's id; `null`: computed. */
  readonly judge: string | null
}

/** The measurement of a table. */
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
  /** Further remarks, in sentences. */
  readonly remarks: readonly string[]
}

/** How a table is measured here. */
export interface Reproduction {
  /** Models that it requires. */
  readonly needs: readonly ModelRole[]
  /** Optional models that the paper used; without them the figure differs. */
  readonly takes: readonly ModelRole[]
  /** Deviations from the paper, besides data and models; a sentence each. */
  readonly differences: readonly string[] | ((asked: PaperAsked) => readonly string[])
  /** Whether `--system` chooses the measured systems. */
  readonly choosesSystem?: boolean
  /** @throws DatasetError for the data; whatever the benchmarks throw that it runs */
  readonly measure: (asked: PaperAsked, context: BenchContext) => Promise<Measured>
}
