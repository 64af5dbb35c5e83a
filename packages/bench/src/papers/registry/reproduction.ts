import type { BenchContext } from '../../benchmark/benchmark.ts'
import type { RunSummary } from '../../results/run-summary.ts'
import type { PublishedUnit } from './paper.ts'

/** Models that a measurement can be given. */
export const MODEL_ROLES = ['model', 'reader', 'judge', 'embedding', 'likeness', 'bertscore'] as const
export type ModelRole = (typeof MODEL_ROLES)[number]

/** What a table is asked for with. */
export interface PaperAsked {
  /** The data's file or folder, in its published form. */
  readonly path: string
  /** Systems measured, instead of those that the table is about. */
  readonly system?: readonly string[] | undefined
  /** The language model that the systems work with. */
  readonly model?: string | undefined
  readonly embedding?: string | undefined
  readonly likeness?: string | undefined
  readonly bertscore?: string | undefined
  readonly reader?: string | undefined
  readonly judge?: string | undefined
  /** In seconds. */
  readonly modelTimeout?: number | undefined
  /** Conversations measured at most. */
  readonly limit?: number | undefined
}

/** A figure obtained here, in the unit of its column in the paper. */
export interface HereFigure {
  /** What was measured: a system, mostly. */
  readonly row: string
  readonly column: string
  /** The paper's row that it stands beside; `null`: the paper has none like it. */
  readonly beside: string | null
  readonly value: number | null
  /** 95 %. */
  readonly interval: { readonly low: number; readonly high: number } | null
  /** What it is over. */
  readonly count: number
  readonly unit: PublishedUnit
  /** Whose verdicts it rests on: `deterministic` (by rule) or a model's id; `null`: computed. */
  readonly judge: string | null
}

/** What was measured of a table. */
export interface Measured {
  readonly figures: readonly HereFigure[]
  /** How many of what the data source counts were measured. */
  readonly size: number
  /** sha256 of what was read. */
  readonly dataHash: string
  /** Who answered questions, where anybody did. */
  readonly reader: string | null
  /** The runs that the figures are taken from; none where they are counted from the data alone. */
  readonly runs: readonly RunSummary[]
  /** What else is to be known, in sentences. */
  readonly remarks: readonly string[]
}

/** How a table is measured here. */
export interface Reproduction {
  /** What it cannot be measured without. */
  readonly needs: readonly ModelRole[]
  /** What it can be measured with, and the paper did; without it the figure is another one. */
  readonly takes: readonly ModelRole[]
  /** What is otherwise than in the paper, beside the data and the models; a sentence each. */
  readonly differences: readonly string[] | ((asked: PaperAsked) => readonly string[])
  /** Whether `--system` chooses what is measured. */
  readonly choosesSystem?: boolean
  /**
   * @throws DatasetError for the data; whatever the benchmarks throw that it runs
   */
  readonly measure: (asked: PaperAsked, context: BenchContext) => Promise<Measured>
}
