/** Tasks that are measured of a system. A run performs those that its data set supports. */
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
/** A task that a run measures. */
export type TaskName = (typeof TASKS)[number]

/** Tasks that run only on request. */
export const ASKED_FOR: readonly TaskName[] = ['coverage', 'probe-table']

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
  // Removed benchmarks that published results still have.
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

/** One measured value with its metric, its slice of the data and its interval. */
export interface Figure {
  readonly task: FigureTask
  /** `hit@5`, `recall`, `f1`, `correct`, … */
  readonly metric: string
  /** `all`, or a part: `category:temporal`, `type:persona`, `facts:1000`. */
  readonly slice: string
  /** `null`: unknown (nothing to count, or the system does not say). */
  readonly value: number | null
  /** 95 %, by bootstrap over people or conversations; `null` where none applies. */
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly count: number
  readonly unit: Unit
  /** The judge: `deterministic` or a model's id; `null`: computed from the data alone. */
  readonly judge: string | null
}

/** The slice of all items. */
export const ALL = 'all'

/** The figures of one system. */
export interface SystemFigures {
  readonly system: string
  readonly figures: readonly Figure[]
}
