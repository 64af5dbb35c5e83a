/** What is measured of a system on a data set. A run does those of them that its data set carries. */
export const TASKS = [
  'retrieval',
  'everyday',
  'extraction',
  'updating',
  'answering',
  'coverage',
  'probes',
  'probe-table',
  'operations',
  'labels',
] as const
export type TaskName = (typeof TASKS)[number]

/** Tasks that a run does where it is told to, and not by itself. */
export const ASKED_FOR: readonly TaskName[] = ['coverage', 'probe-table']

/** Everything that figures are of, in the order in which a report tells it. */
export const FIGURE_TASKS = [
  ...TASKS,
  'cost',
  'attribution',
  'session-memory',
  'compression',
  'replies',
  'reply-ranks',
  'forgetting',
  'forgetting-lead',
  'capacity',
  'capacity-lead',
  'remembering',
  'recalling',
  'model-calls',
  'speed',
  'side-by-side',
  'load',
  'faults',
  // Of benchmarks that are gone: published results have them.
  'peer-kills',
  'vector-scan',
  'server-kills',
  'capacity-plan',
  'attacks',
  'erasing',
  'stores',
] as const
export type FigureTask = (typeof FIGURE_TASKS)[number]

export const UNITS = ['share', 'score', 'count', 'milliseconds', 'tokens', 'bytes'] as const
export type Unit = (typeof UNITS)[number]

/** One figure of a system: a line of a table, a bar of a plot. */
export interface Figure {
  readonly task: FigureTask
  /** `hit@5`, `recall`, `f1`, `correct`, … */
  readonly metric: string
  /** `all`, or a part: `category:temporal`, `type:persona`, `facts:1000`. */
  readonly slice: string
  /** `null`: unknown (nothing to count, or the system does not say). */
  readonly value: number | null
  /** 95 %, by bootstrap over people or conversations; `null` where none is meant. */
  readonly interval: { readonly low: number; readonly high: number } | null
  /** What it is over. */
  readonly count: number
  readonly unit: Unit
  /** Whose verdicts it rests on: `deterministic` or a model's id; `null`: computed from the data alone. */
  readonly judge: string | null
}

/** The slice of everything. */
export const ALL = 'all'

/** The figures of one system. */
export interface SystemFigures {
  readonly system: string
  readonly figures: readonly Figure[]
}
