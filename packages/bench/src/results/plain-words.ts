import type { Unit } from '../log/figure.ts'

interface PlainWords {
  readonly label: string
  readonly unit: Unit
  readonly headline?: string
}
type Row = Readonly<Record<string, PlainWords>>

const of =
  (unit: Unit) =>
  (label: string, isHeadline = false): PlainWords => ({
    label,
    unit,
    ...(isHeadline ? { headline: label } : {}),
  })
const count = of('count')
const ms = of('milliseconds')
const bytes = of('bytes')
const tokens = of('tokens')
const share = of('share')

/** `add_p50_ms`, `add_p95_ms`, …: how long calls of one kind take. */
function times(name: string, label: string, isHeadline = false): Row {
  const prefix = name === '' ? '' : `${name}_`
  return {
    [`${prefix}p50_ms`]: ms(`${label}, p50`, isHeadline),
    [`${prefix}p95_ms`]: ms(`${label}, p95`, isHeadline),
    [`${prefix}p99_ms`]: ms(`${label}, p99`),
  }
}

/** Metrics that are what they are called, by task, in the order in which a report shows them. */
export const PLAIN_WORDS = {
  remembering: {
    calls_per_100_rounds: count('calls, per 100 rounds', true),
    input_tokens_per_100_rounds: tokens('input tokens, per 100 rounds', true),
    output_tokens_per_100_rounds: tokens('output tokens, per 100 rounds', true),
    characters_per_call: count('characters a call'),
    repaired: count('answers repaired'),
    unusable: count('answers unusable'),
    rejected_operations: count('operations rejected'),
    quarantined: count('memories quarantined'),
    unfinished_jobs: count('jobs unfinished'),
    failures: count('failures on the way'),
    not_summarised: count('sessions not summarised'),
    rounds: count('rounds'),
    turns: count('turns'),
    sessions: count('sessions'),
    ingestion_ms: ms('time, asking a model'),
  },
  recalling: {
    questions: count('questions'),
    questions_left_out: count('questions left out'),
    context_tokens_mean: tokens('context tokens, mean', true),
    context_tokens_p95: tokens('context tokens, p95'),
    context_tokens_max: tokens('context tokens, most'),
    memories: count('memories'),
    turns: count('turns behind them'),
    evidence_questions: count('questions that something answers'),
    any_evidence: share('any evidence', true),
    all_evidence: share('all evidence', true),
    calls_per_recall: count('calls a recall'),
    replies: count('replies'),
    input_tokens_per_reply: tokens('input tokens a reply', true),
  },
  'model-calls': {
    calls: count('calls'),
    input_tokens: tokens('input tokens'),
    output_tokens: tokens('output tokens'),
    estimated: count('calls whose tokens are estimated'),
    input_characters: count('input characters'),
    output_characters: count('output characters'),
    repaired: count('repaired'),
    unusable: count('unusable'),
    failed: count('failed'),
  },
  speed: {
    ...times('recall', 'recall', true),
    ...times('recall_after_remember', 'recall after a remember'),
    ...times('remember', 'remember', true),
    ...times('remember_normal', 'remember, not flushed'),
    ...times('recall_any_scope', 'recall in any scope'),
    slowdown: count('times the recall of one scope alone', true),
    open_ms: ms('open and first recall', true),
    process_start_ms: ms('start of the process before it'),
    bytes_per_memory_ram: bytes('resident memory of a memory', true),
    cache_bytes_per_memory: bytes('cache of a memory'),
    bytes_per_memory_disk: bytes('disk of a memory', true),
    bytes_disk: bytes('disk in all'),
    memories_live: count('memories live'),
    fill_turns_per_second: count('turns a second, filling'),
    consolidation_ms: ms('consolidation in all'),
    consolidation_hold_p99_ms: ms('consolidation holds the loop, p99'),
    consolidation_hold_max_ms: ms('consolidation holds the loop, longest'),
    scan_p50_ms: ms('scan of all vectors, p50'),
    scan_over_memory_pass: count('times a pass over their words'),
    scan_over_byte_pass: count('times a pass over their bytes'),
    ...times('disk_flush', 'flush of the disk'),
  },
  'vector-scan': {
    ...times('scan', 'scan', true),
    first_scan_ms: ms('first scan'),
    pass_p50_ms: ms('pass over the words, p50'),
    byte_pass_p50_ms: ms('pass over the bytes, p50'),
    scan_over_memory_pass: count('times a pass over the words', true),
    scan_over_byte_pass: count('times a pass over the bytes'),
    set_mean_us: count('microseconds to set a row'),
    bytes_per_row: bytes('a row'),
    error_bound: of('score')('error at most'),
    error_seen: of('score')('error seen'),
    candidates_for_top_10: count('candidates for the top 10'),
    candidates_in_two_steps: count('candidates in two steps'),
    select_p50_ms: ms('choosing them, p50'),
    calls: count('scans'),
  },
  'side-by-side': {
    ...times('add', 'add', true),
    ...times('search', 'search', true),
    model_calls_per_add: count('model calls an add', true),
    prompt_characters_per_add: count('prompt characters an add', true),
    prompt_tokens_per_add: tokens('prompt tokens an add (estimated)'),
    answer_tokens_per_add: tokens('answer tokens an add (estimated)'),
    embedding_requests_per_add: count('embedding requests an add'),
    model_calls_per_search: count('model calls a search'),
    embedding_requests_per_search: count('embedding requests a search'),
    disk_bytes: bytes('files', true),
    open_ms: ms('open and first search', true),
    open_resident_bytes: bytes('resident memory after it'),
    peak_resident_bytes: bytes('most resident memory, filling and all', true),
    fill_ms: ms('filling'),
    facts: count('facts held'),
    settle_ms: ms('left to do after the last add'),
    loopback_p50_ms: ms('a request as long over loopback'),
    calls: count('calls measured'),
  },
  'peer-kills': {
    kills: count('kills', true),
    acknowledged: count('acknowledged rounds'),
    failed_starts: count('starts that failed', true),
    lost_facts: count('facts of acknowledged rounds lost', true),
    lost_turns: count('acknowledged turns lost', true),
    doubled_facts: count('facts doubled', true),
    half_facts: count('facts without their addition in the history', true),
    unacknowledged_facts: count('facts of rounds that were not acknowledged'),
    facts: count('facts held'),
  },
  load: {
    asked_per_second: count('asked for a second'),
    requests_per_second: count('answered a second', true),
    ...times('', 'a call', true),
    ...times('recall', 'a recall'),
    ...times('remember', 'a remember'),
    max_ms: ms('longest call'),
    errors: count('errors', true),
    calls: count('calls'),
    recalls: count('recalls'),
    remembers: count('remembers'),
    cpu_ms_per_call: ms('processor time a call', true),
    cost_over_library_ms: ms('of which the server adds', true),
    cpus: count('processors busy'),
    asker_cpus: count('processors busy asking'),
    resident_bytes_before: bytes('resident memory before'),
    resident_bytes_after: bytes('resident memory after'),
    heap_bytes_before: bytes('heap before'),
    heap_bytes_after: bytes('heap after'),
    ran_ms: ms('time asked'),
    memories: count('memories filled'),
    fill_ms: ms('filling'),
  },
  'server-kills': {
    kills: count('kills', true),
    kills_mid_request: count('kills that broke off a request', true),
    cut_off_requests: count('requests broken off'),
    acknowledged_writes: count('acknowledged writes', true),
    acknowledged_erasures: count('acknowledged erasures', true),
    lost: count('acknowledged and lost', true),
    doubled: count('doubled', true),
    returned: count('erased and there again', true),
    replayed_otherwise: count('answered otherwise when sent again', true),
    erased_in_files: count('erased turns in the files', true),
    kept_in_files: count('kept turns in the files'),
    failed_starts: count('starts that failed', true),
    refused: count('answers that no request should get', true),
    ran_ms: ms('time in all'),
  },
} as const satisfies Readonly<Record<string, Row>>
