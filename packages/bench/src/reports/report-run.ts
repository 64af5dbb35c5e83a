import type { Interval } from '../metrics/bootstrap-interval.ts'
import type { Figure, RunSummary } from '../runs/figure.ts'
import type { LostStep } from '../runs/log-entry.ts'

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
  /** `null` where it cannot be told. */
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
  /** How many wrong answers each step lost; `unknown`: it cannot be told. Probes are not attributed. */
  readonly lost: Readonly<Partial<Record<LostStep | 'unknown', number>>>
  readonly failures: readonly RunFailure[]
  /** Conversations that are done. */
  readonly done: number
  /** What was odd about the file, in sentences. */
  readonly remarks: readonly string[]
}

/** A run as it is reported. */
export interface ReportRun {
  /** The system's name; `nameRuns` adds more where two runs share it. */
  readonly label: string
  /** Where it was read from, as it was given. */
  readonly source: string
  readonly summary: RunSummary
  /** `null`: there is no log beside the summary. */
  readonly log: RunLog | null
  /** Its file; `null` likewise. */
  readonly logFile: string | null
}

/** Figures of one policy against how much it may hold, of a forgetting report. */
export interface RetentionCurve {
  readonly policy: string
  readonly points: readonly (Readonly<Record<string, number | null>> & { readonly capacity: number })[]
  /** Mean figure over the range of capacities. */
  readonly area: Readonly<Record<string, number | null>>
  /** 95 %, of that. */
  readonly areaIntervals: Readonly<Record<string, Interval | null>>
}

/** A report of `keepsake bench forgetting --json`, as far as it is drawn. */
export interface RetentionReport {
  readonly source: string
  readonly dataset: string
  readonly dataHash: string
  readonly capacityCurves: readonly RetentionCurve[]
}

/** One figure of run `a` less that of run `b`, over the same questions. */
export interface PairedDifference {
  readonly task: Figure['task']
  readonly metric: string
  readonly slice: string
  /** The label of a run in the report. */
  readonly a: string
  readonly b: string
  /** `null`: nothing was paired. */
  readonly difference: number | null
  /** 95 %. */
  readonly interval: Interval | null
  /** Two-sided. */
  readonly p: number | null
  /** Items that were measured in both. */
  readonly pairs: number
  /** People or conversations that they come from; with k of them p is 2 / 2^k at least. */
  readonly clusters?: number
}

/** What is reported beside runs. */
export interface BesideRuns {
  readonly retention?: readonly RetentionReport[]
  readonly differences?: readonly PairedDifference[]
}

/** Everything a report is made of. */
export interface ReportInput extends BesideRuns {
  readonly runs: readonly ReportRun[]
}
