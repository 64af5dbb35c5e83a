/** The tasks by which a memory system is measured. A run skips those that its data set does not support. */
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
export const TASKS_ON_REQUEST: readonly TaskName[] = ['coverage', 'probe-table']

/** The tasks that a figure can be about. Their titles in reports are in `results/task-words.ts`. */
export const FIGURE_TASKS = [
  ...TASKS,
  // Figures of every run: its cost, and the steps at which wrong answers were lost.
  'cost',
  'attribution',
  // Tasks 1 to 3 of the COMEDY paper: session memories, a compressed portrait, replies and their ranks.
  'session-memory',
  'compression',
  'replies',
  'reply-ranks',
  // Forgetting policies on the LUFY and LoCoMo talks, and the lead of one policy over another.
  'forgetting',
  'forgetting-lead',
  'capacity',
  'capacity-lead',
  // Time and model calls of one system, or of several in turn.
  'remembering',
  'recalling',
  'model-calls',
  'speed',
  'side-by-side',
  // Load and fault trials of a server.
  'load',
  'faults',
  // Benchmarks that no longer exist. Published results still hold their figures.
  'peer-kills',
  'server-kills',
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
  /** `null`: unknown, because there was nothing to count or the system does not report it. */
  readonly value: number | null
  /** The 95 % interval, by bootstrap over people or conversations. `null` where none applies. */
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
