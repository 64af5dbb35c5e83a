import type { FigureTask, Unit } from '../log/figure.ts'

/** Tasks whose metrics are plain numbers and say by their names what they are, each with those that a run is known by. */
const HEADLINES = {
  remembering: ['calls_per_100_rounds', 'input_tokens_per_100_rounds', 'output_tokens_per_100_rounds'],
  recalling: ['context_tokens_mean', 'any_evidence', 'all_evidence', 'input_tokens_per_reply'],
  'model-calls': [],
  speed: [
    'recall_p50_ms',
    'recall_p95_ms',
    'remember_p50_ms',
    'remember_p95_ms',
    'open_ms',
    'bytes_per_turn_ram',
    'bytes_per_turn_disk',
  ],
  'side-by-side': [
    'add_p50_ms',
    'add_p95_ms',
    'search_p50_ms',
    'search_p95_ms',
    'model_calls_per_add',
    'prompt_characters_per_add',
    'disk_bytes',
    'open_ms',
    'peak_resident_bytes',
  ],
  'peer-kills': [],
  load: ['requests_per_second', 'p50_ms', 'p95_ms', 'errors', 'cpu_ms_per_call'],
  faults: ['trials', 'broken', 'acknowledged', 'kills', 'cuts', 'cut_off_requests', 'repeated', 'jumps'],
  'vector-scan': [],
  'server-kills': [],
  'capacity-plan': [],
  attacks: [],
  erasing: [],
  stores: [],
} as const satisfies Partial<Record<FigureTask, readonly string[]>>

export type PlainTask = keyof typeof HEADLINES

/** Where a name says too little by itself. */
const LABELS: Readonly<Record<string, string>> = {
  acknowledged: 'acknowledged rounds',
  broken: 'trials that left something broken',
  bytes_per_turn_disk: 'disk of a turn',
  bytes_per_turn_ram: 'resident memory of a turn',
  cpu_ms_afterwards_per_call: 'of it after the last answer',
  cpu_ms_per_call: 'processor time a call',
  cpus: 'processors busy',
  cuts: 'connections cut',
  doubled: 'there twice',
  estimated: 'calls whose tokens are estimated',
  evidence_questions: 'questions that something answers',
  jumps: 'jumps of the clock',
  loopback_p50_ms: 'a request as long over loopback, p50',
  open_ms: 'open and first recall',
  repeated: 'deliveries repeated',
  settle_ms: 'left to do after the last call',
}

const UNITS: readonly (readonly [name: RegExp, unit: Unit])[] = [
  [/_ms(_|$)/, 'milliseconds'],
  [/bytes/, 'bytes'],
  [/tokens/, 'tokens'],
  [/^(any|all)_evidence$/, 'share'],
  [/^error_(largest|mean)$/, 'score'],
]

export function isPlain(task: FigureTask): task is PlainTask {
  return task in HEADLINES
}

/** What a plain metric is called, in what it is counted, and whether a run is known by it. */
export function plainWords(task: PlainTask, metric: string) {
  const label = LABELS[metric] ?? metric.replace(/_ms$/, '').replaceAll('_', ' ')
  const isHeadline = HEADLINES[task].some((one) => one === metric)
  const unit = UNITS.find(([name]) => name.test(metric))?.[1] ?? 'count'
  return { label, unit, headline: isHeadline ? label : null, rank: isHeadline ? 'drawn' : 'tabled' } as const
}
