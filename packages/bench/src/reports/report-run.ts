import type { EntryOf } from '../log/log-entry.ts'
import type { RunSummary } from '../results/run-summary.ts'
import type { PairedFigure } from '../runs/figures/compare-paired.ts'

/** A wrong answer, with what is needed to review its verdict; `lost` is `null` where it is not known. */
export type WrongAnswer = Pick<EntryOf<'answer'>, 'reference' | 'answer' | 'reason' | 'lost'> &
  Pick<
    EntryOf<'probe'>,
    'conversation' | 'question' | 'category' | 'text' | 'retrieved' | 'context' | 'failure'
  > & {
    readonly verdict: string
  }

export type RunFailure = Pick<EntryOf<'failure'>, 'conversation' | 'where' | 'message'>

/** The reported part of a run's `log.jsonl`. */
export interface RunLog {
  /** Distinct answers and probes. */
  readonly asked: number
  readonly wrong: number
  /** A sample of the wrong ones, in the same order for every system. */
  readonly wrongAnswers: readonly WrongAnswer[]
  readonly failures: readonly RunFailure[]
  /** Conversations, or steps, that are done. */
  readonly done: number
  /** Irregularities of the file, in sentences. */
  readonly remarks: readonly string[]
}

/** A run of a report, with the label that its columns carry. */
export interface ReportRun {
  /** The system's name, extended where two runs share it. */
  readonly label: string
  /** The path as it was given. */
  readonly source: string
  readonly summary: RunSummary
  /** `null`: none beside the summary, or one of several systems. */
  readonly log: RunLog | null
  /** Its file; `null` likewise. */
  readonly logFile: string | null
}

/** One figure of run `a` minus that of run `b`, over the same questions. */
export type PairedDifference = Omit<PairedFigure, 'a' | 'b' | 'clusters'> & {
  readonly a: string
  readonly b: string
  /** Number of people or conversations; with k of them p is 2 / 2^k at least. */
  readonly clusters?: number
}

/** A run with its row label: its name, with its letter where not all runs are comparable. */
export interface NamedRun {
  readonly run: ReportRun
  readonly name: string
}
