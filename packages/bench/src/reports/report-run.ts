import type { LostStep } from '../log/log-entry.ts'
import type { RunSummary } from '../results/run-summary.ts'
import type { PairedFigure } from '../runs/figures/compare-paired.ts'

/** A question that a system got wrong, with what is needed to argue about the verdict. */
export interface WrongAnswer {
  readonly conversation: string
  readonly question: string
  readonly category: string
  readonly text: string
  readonly reference: string
  readonly answer: string
  readonly verdict: string
  readonly reason: string
  /** `null` where it is not known. */
  readonly lost: LostStep | null
  /** Best first. */
  readonly retrieved: readonly string[]
  readonly context: string
  readonly failure: string | null
}

/** Something of a run that failed and is no question. */
export interface RunFailure {
  readonly conversation: string
  readonly where: string
  readonly message: string
}

/** What a run's `log.jsonl` says, as far as a report shows it. */
export interface RunLog {
  /** Answers and probes that were asked, each once. */
  readonly asked: number
  /** How many of them were wrong. */
  readonly wrong: number
  /** Some of the wrong ones, in an order that is the same for every system: so are the first of them, as far as they were wrong. */
  readonly wrongAnswers: readonly WrongAnswer[]
  readonly failures: readonly RunFailure[]
  /** Conversations, or steps, that are done. */
  readonly done: number
  /** What was odd about the file, in sentences. */
  readonly remarks: readonly string[]
}

/** A system as it is reported. */
export interface ReportRun {
  /** The system's name, and more where two runs share it. */
  readonly label: string
  /** Where it was read from, as it was given. */
  readonly source: string
  readonly summary: RunSummary
  /** `null`: there is none beside the summary, or it is of several systems. */
  readonly log: RunLog | null
  /** Its file; `null` likewise. */
  readonly logFile: string | null
}

/** One figure of run `a` less that of run `b`, over the same questions. */
export type PairedDifference = Omit<PairedFigure, 'a' | 'b' | 'clusters'> & {
  /** The label of a run in the report. */
  readonly a: string
  readonly b: string
  /** People or conversations that they come from; with k of them p is 2 / 2^k at least. */
  readonly clusters?: number
}
