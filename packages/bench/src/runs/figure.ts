import type { Interval } from '../metrics/bootstrap-interval.ts'
import type { TaskName } from './log-entry.ts'

/** One figure of a run: a line of a table, a bar of a plot. */
export interface Figure {
  readonly task: TaskName | 'cost' | 'attribution'
  /** `hit@5`, `recall`, `f1`, `correct`, … */
  readonly metric: string
  /** `all`, or a part: `category:temporal`, `type:persona`. */
  readonly slice: string
  /** `null`: cannot be told (nothing to count, or the system does not say). */
  readonly value: number | null
  /** 95 %, by bootstrap over people or conversations; `null` where none is meant. */
  readonly interval: Interval | null
  /** What it is over. */
  readonly count: number
  readonly unit: 'share' | 'score' | 'count' | 'milliseconds' | 'tokens' | 'bytes'
  /** Whose verdicts it rests on: `deterministic` or a model's id; `null`: computed from the data alone. */
  readonly judge: string | null
}

/** A run as it is written down: `summary.json` in its folder, and what `--json` prints. */
export interface RunSummary {
  readonly benchmark: 'run'
  readonly dataset: string
  readonly dataHash: string
  readonly system: string
  /** Settings of the system, limits, budgets, seeds, versions. */
  readonly config: Readonly<Record<string, unknown>>
  readonly reader: string | null
  readonly judge: string | null
  readonly tasks: readonly TaskName[]
  readonly conversations: number
  readonly failures: number
  readonly leftOut: Readonly<Record<string, number>>
  readonly figures: readonly Figure[]
  /** The command that made it. */
  readonly command: string
  readonly startedAt: string
  readonly finishedAt: string
}
