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
    'slowdown',
    'open_ms',
    'bytes_per_memory_ram',
    'bytes_per_memory_disk',
  ],
  'vector-scan': ['scan_p50_ms', 'scan_p95_ms', 'scan_over_memory_pass'],
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
  'peer-kills': ['kills', 'failed_starts', 'lost_facts', 'lost_turns', 'doubled_facts', 'half_facts'],
  load: ['requests_per_second', 'p50_ms', 'p95_ms', 'errors', 'cpu_ms_per_call', 'cost_over_library_ms'],
  'server-kills': [
    'kills',
    'kills_mid_request',
    'acknowledged_writes',
    'acknowledged_erasures',
    'lost',
    'doubled',
    'returned',
    'replayed_otherwise',
    'erased_in_files',
    'failed_starts',
    'refused',
  ],
  faults: ['trials', 'broken', 'acknowledged', 'kills', 'cuts', 'cut_off_requests', 'repeated', 'jumps'],
} as const satisfies Partial<Record<FigureTask, readonly string[]>>

export type PlainTask = keyof typeof HEADLINES

/** Where a name says too little by itself. */
const LABELS: Readonly<Record<string, string>> = {
  acknowledged: 'acknowledged rounds',
  asker_cpus: 'processors busy asking',
  broken: 'trials that left something broken',
  bytes_disk: 'disk in all',
  bytes_per_memory_disk: 'disk of a memory',
  bytes_per_memory_ram: 'resident memory of a memory',
  cost_over_library_ms: 'of which the server adds',
  cpu_ms_afterwards_per_call: 'of it after the last answer',
  cpu_ms_per_call: 'processor time a call',
  cpus: 'processors busy',
  cuts: 'connections cut',
  doubled: 'there twice',
  erased_in_files: 'erased turns in the files',
  estimated: 'calls whose tokens are estimated',
  evidence_questions: 'questions that something answers',
  fill_ms: 'filling',
  half_facts: 'facts without their addition in the history',
  jumps: 'jumps of the clock',
  kills_mid_request: 'kills that broke off a request',
  loopback_p50_ms: 'a request as long over loopback, p50',
  lost: 'acknowledged and lost',
  lost_facts: 'facts of acknowledged rounds lost',
  lost_turns: 'acknowledged turns lost',
  open_ms: 'open and first recall',
  refused: 'answers that no request should get',
  remember_normal_p50_ms: 'remember, not flushed, p50',
  replayed_otherwise: 'answered otherwise when sent again',
  repeated: 'deliveries repeated',
  returned: 'erased and there again',
  scan_over_memory_pass: 'times a pass over the bytes',
  set_mean_us: 'microseconds to set a row',
  settle_ms: 'left to do after the last call',
  slowdown: 'times the recall of one scope alone',
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
