import type { EntryOf } from '../log/log-entry.ts'
import type { RunSummary } from '../results/run-summary.ts'
import type { PairedFigure } from '../runs/figures/compare-paired.ts'

/** A wrong answer, with everything needed to review its verdict. `lost` is the step that lost it; `null`: unknown. */
export type WrongAnswer = Pick<EntryOf<'answer'>, 'reference' | 'answer' | 'reason' | 'lost'> &
  Pick<
    EntryOf<'probe'>,
    'conversation' | 'question' | 'category' | 'text' | 'retrieved' | 'context' | 'failure'
  > & {
    readonly verdict: string
  }

type RunFailure = Pick<EntryOf<'failure'>, 'conversation' | 'where' | 'message'>

/** The part of a run's `log.jsonl` that a report shows. */
export interface RunLog {
  /** The folder of the run. */
  readonly folder: string
  /** Number of answered questions and multiple-choice probes. */
  readonly questionCount: number
  readonly wrong: number
  /** A sample of the wrong answers, in the same order for every system. */
  readonly wrongAnswers: readonly WrongAnswer[]
  readonly failures: readonly RunFailure[]
  /** Number of finished conversations, or of steps. */
  readonly done: number
  /** Remarks about the file, such as an incomplete last line. */
  readonly remarks: readonly string[]
}

/** A run in a report. */
export interface ReportRun {
  /** The name in columns and rows: the system's name, extended if two runs have it. */
  readonly label: string
  /** The path that the caller named. */
  readonly source: string
  readonly summary: RunSummary
  /** `null`: the folder of the summary has no log, or the log has several systems. */
  readonly log: RunLog | null
}

/** The difference of a figure between two runs over the same questions: run `a` minus run `b`. */
export type PairedDifference = Omit<PairedFigure, 'a' | 'b' | 'clusters'> & {
  readonly a: string
  readonly b: string
  /** Number of people or conversations. With k of them, p is at least 2 / 2^k. */
  readonly clusters?: number
}

/** A run with its name in the report: its label, followed by a letter if not all runs are comparable. */
export interface NamedRun {
  readonly run: ReportRun
  readonly name: string
}
