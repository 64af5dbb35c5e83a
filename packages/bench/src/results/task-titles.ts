import type { FigureTask } from '../log/figure.ts'

/** What a task is called, as a heading. */
export const TASK_TITLES: Readonly<Record<FigureTask, string>> = {
  retrieval: 'Retrieval',
  everyday: 'Everyday talk',
  extraction: 'Extraction',
  updating: 'Updating',
  answering: 'Answering',
  coverage: 'What contexts hold',
  probes: 'Probes',
  'probe-table': 'The probe table',
  operations: 'Operations',
  labels: 'Labels',
  cost: 'Cost',
  attribution: 'Where errors arise',
  'session-memory': 'Session memories',
  compression: 'Compression',
  replies: 'Replies',
  'reply-ranks': 'Replies, ranked',
  forgetting: 'What is kept',
  'forgetting-lead': 'How far keepsake leads in it',
  capacity: 'What is kept, over all capacities',
  'capacity-lead': 'How far keepsake leads over all capacities',
  remembering: 'Remembering',
  recalling: 'Recalling',
  'model-calls': 'Calls of the model',
  speed: 'Speed and size',
  'side-by-side': 'Side by side',
  'peer-kills': 'What survives being killed',
  load: 'Under load',
  faults: 'When things go wrong',
  'vector-scan': 'Scanning vectors',
  'server-kills': 'A server killed in the middle of requests',
  'capacity-plan': 'Capacity',
  attacks: 'Attacks',
  erasing: 'Erasing from a large file',
  stores: 'SQLite and Postgres',
}

const SIDE_BY_SIDE: readonly FigureTask[] = ['speed', 'side-by-side', 'peer-kills', 'load', 'faults']

/** Whether a task's figures are many and of few systems: a figure is a row of its tables then, and a system a column. */
export function isSideBySide(task: FigureTask): boolean {
  return SIDE_BY_SIDE.includes(task)
}
