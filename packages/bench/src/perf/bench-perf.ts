import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openMemory, type EmbeddingModel, type Keepsake, type PresetName, type TurnInput } from 'keepsake'
import { seededRandom } from '../metrics/seeded-random.ts'
import { questionGenerator, seededVectors, turnGenerator } from './generate.ts'
import { openOnce } from './open-once.ts'
import { round, timeCalls, type CallTimes } from './time-calls.ts'
import { timeFlush } from './time-flush.ts'
import { benchVectorScan } from './vector-scan.ts'

export interface BenchPerfOptions {
  /** Memories in the one scope. Default 1,000, 10,000 and 100,000. */
  readonly sizes?: readonly number[]
  /** Scopes, and memories in each, among which one is asked. Default 1,000 × 1,000; `null` leaves it out. */
  readonly isolation?: { readonly scopes: number; readonly memories: number } | null
  /** Default 1. */
  readonly seed?: number
  /** Calls measured, after `unmeasured` that are not. Default 1,000 after 100. */
  readonly calls?: number
  readonly unmeasured?: number
  /** `seeded` is 384 seeded dimensions, `built-in` the engine's own. Default both. */
  readonly embedders?: readonly ('seeded' | 'built-in')[]
  /** Default `keepsake`. */
  readonly preset?: PresetName
  /** Memories returned by a recall. Default 10. */
  readonly limit?: number
  /** Where the files are made; they are removed at the end. Default the system's temporary folder. */
  readonly folder?: string
  readonly onProgress?: (step: string) => void
}

export interface PerfReport {
  readonly dataset: 'generated'
  readonly config: Readonly<Record<string, unknown>>
  readonly runtime: {
    readonly node: string
    readonly v8: string
    readonly platform: string
    readonly arch: string
    /** Load average over a minute, before the run and after: what else the machine did. */
    readonly load: readonly [before: number, after: number]
  }
  /** Flat. What the built-in embedder's runs give is named the same with `builtin_` before it. */
  readonly metrics: Readonly<Record<string, number>>
}

const DIMENSIONS = 384
/** The user alone speaks, so that each turn makes one memory and a size is what it says. */
const TURNS_PER_MEMORY = 1
/** Filling is in large calls; what a call costs is measured apart, one turn at a time. */
const TURNS_PER_FILL = 1000
const PERSON = 'person-0'

type Config = Required<Omit<BenchPerfOptions, 'onProgress'>> & {
  readonly onProgress: BenchPerfOptions['onProgress'] | undefined
}
type Embedder = 'seeded' | 'built-in'
type Metrics = Record<string, number>

/**
 * Measures how fast a memory is and how much room it takes, through the public API alone. One process, but for
 * `open_*_ms` and `bytes_per_memory_ram_*`, which a process of their own measures; text is Zipf-worded and
 * seeded; every call is awaited before the next.
 *
 * Memories are filled in with `synchronous: 'normal'` and nothing is let go, so that a size is what it says;
 * everything measured runs on the file opened again with the default, `full`.
 *
 * @throws StoreError when the folder cannot be written
 * @example
 * const { metrics } = await benchPerf({ sizes: [1000, 10_000], isolation: null })
 * metrics.recall_10k_p50_ms
 */
export async function benchPerf(options: BenchPerfOptions = {}): Promise<PerfReport> {
  const config = withDefaults(options)
  const metrics: Metrics = {}
  const before = loadOfMachine()
  const folder = await mkdtemp(join(config.folder, 'keepsake-perf-'))
  try {
    const flush = await timeFlush(folder, config.calls)
    Object.assign(metrics, { disk_flush_p50_ms: flush.p50, disk_flush_p95_ms: flush.p95 })
    for (const embedder of config.embedders) {
      const prefix = embedder === 'built-in' ? 'builtin_' : ''
      const add = (more: Metrics) => addPrefixed(metrics, more, prefix)
      for (const size of config.sizes) add(await measureSize({ config, folder, embedder, size }))
      add(headlines(metrics, prefix, config.sizes))
    }
    if (config.isolation) {
      Object.assign(metrics, await measureIsolation(config, config.isolation, join(folder, 'many.db')))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  config.onProgress?.('scanning vectors')
  Object.assign(metrics, scanMetrics(config))
  const { node, v8 } = process.versions
  return {
    dataset: 'generated',
    config: describeConfig(config),
    runtime: {
      node,
      v8,
      platform: process.platform,
      arch: process.arch,
      load: [before, loadOfMachine()],
    },
    metrics,
  }
}

function loadOfMachine(): number {
  return round(loadavg()[0] ?? 0)
}

function withDefaults(options: BenchPerfOptions): Config {
  return {
    sizes: options.sizes ?? [1000, 10_000, 100_000],
    isolation: options.isolation === undefined ? { scopes: 1000, memories: 1000 } : options.isolation,
    seed: options.seed ?? 1,
    calls: options.calls ?? 1000,
    unmeasured: options.unmeasured ?? 100,
    embedders: options.embedders ?? ['seeded', 'built-in'],
    preset: options.preset ?? 'keepsake',
    limit: options.limit ?? 10,
    folder: options.folder ?? tmpdir(),
    onProgress: options.onProgress,
  }
}

function describeConfig(config: Config): Record<string, unknown> {
  const { sizes, isolation, seed, calls, unmeasured, embedders, preset, limit } = config
  return {
    sizes,
    isolation,
    seed,
    calls,
    unmeasured,
    embedders,
    preset,
    limit,
    dimensions: DIMENSIONS,
    turnsPerMemory: TURNS_PER_MEMORY,
    fill: { turnsPerCall: TURNS_PER_FILL, synchronous: 'normal' },
    measured: { synchronous: 'full', retention: 'never', reinforce: false },
    isolationMeasured: { embedder: 'seeded', synchronous: 'normal' },
  }
}

function addPrefixed(metrics: Metrics, more: Metrics, prefix: string): void {
  for (const [name, value] of Object.entries(more)) metrics[prefix + name] = value
}

/** The figures that name no size are those of 10,000 memories, or of the largest size below. */
function headlines(metrics: Metrics, prefix: string, sizes: readonly number[]): Metrics {
  const size = sizes.filter((each) => each <= 10_000).toSorted((a, b) => b - a)[0] ?? sizes[0] ?? 0
  const found: Metrics = {}
  for (const name of [
    'remember_p50_ms',
    'remember_p95_ms',
    'remember_p99_ms',
    'remember_normal_p50_ms',
    'remember_normal_p95_ms',
    'bytes_per_memory_ram',
    'bytes_per_memory_disk',
  ]) {
    const value = metrics[prefix + sized(name, size)]
    if (value !== undefined) found[name] = value
  }
  return found
}

/** `recall_p50_ms` at 10,000 is `recall_10k_p50_ms`, `bytes_per_memory_ram` is `bytes_per_memory_ram_10k`. */
function sized(name: string, size: number): string {
  const label = size % 1000 === 0 ? `${size / 1000}k` : String(size)
  const place = name.search(/_p\d\d_ms$|_ms$/)
  return place < 0 ? `${name}_${label}` : `${name.slice(0, place)}_${label}${name.slice(place)}`
}

function timesNamed(name: string, times: CallTimes, size: number): Metrics {
  const { p50, p95, p99 } = times
  return Object.fromEntries(
    Object.entries({ p50, p95, p99 }).map(([quantile, value]) => [
      sized(`${name}_${quantile}_ms`, size),
      value,
    ]),
  )
}

function open(
  config: Config,
  path: string,
  embedder: Embedder,
  synchronous: 'full' | 'normal',
): Promise<Keepsake> {
  const embedding: { embedding?: EmbeddingModel } =
    embedder === 'seeded' ? { embedding: seededVectors(DIMENSIONS) } : {}
  return openMemory({ path, preset: config.preset, retention: { when: 'never' }, synchronous, ...embedding })
}

async function fill(
  memory: Keepsake,
  user: string,
  memories: number,
  nextTurn: () => TurnInput,
): Promise<void> {
  const scope = memory.scope({ user })
  for (let left = memories * TURNS_PER_MEMORY; left > 0; left -= TURNS_PER_FILL) {
    const turns = Array.from({ length: Math.min(left, TURNS_PER_FILL) }, nextTurn)
    await scope.remember(turns, { session: `session-${left}` })
  }
}

interface SizeRun {
  readonly config: Config
  readonly folder: string
  readonly embedder: Embedder
  readonly size: number
}

async function measureSize({ config, folder, embedder, size }: SizeRun): Promise<Metrics> {
  const path = join(folder, `${embedder}-${size}.db`)
  const step = (what: string) => config.onProgress?.(`${embedder}, ${size} memories: ${what}`)
  step('filling')
  const filled = await fillFile(config, path, embedder, size)
  step('opening')
  const opened = await openOnce({
    path,
    user: PERSON,
    question: questionGenerator(config.seed + 7)(),
    preset: config.preset,
    dimensions: embedder === 'seeded' ? DIMENSIONS : null,
  })
  const unflushed = await timeUnflushed({ config, folder, embedder, size })
  const memory = await open(config, path, embedder, 'full')
  try {
    step('recalling')
    const recall = await timeRecalls(config, memory, () => PERSON)
    step('remembering')
    const nextTurn = turnGenerator({ seed: config.seed + 2, alternate: false, from: Date.UTC(2027, 0, 1) })
    const scope = memory.scope({ user: PERSON })
    const remember = await timeCalls(() => scope.remember(nextTurn(), { session: 'measured' }), config)
    const afterWrite = await timeRecallsAfterWrites(config, memory, nextTurn)
    return {
      ...timesNamed('recall', recall, size),
      ...timesNamed('remember', remember, size),
      ...unflushed,
      ...timesNamed('recall_after_remember', afterWrite, size),
      [sized('open_ms', size)]: round(opened.openMs),
      [sized('process_start_ms', size)]: round(opened.startMs),
      [sized('bytes_per_memory_ram', size)]: round(opened.residentBytes / size),
      [sized('cache_bytes_per_memory', size)]: round(opened.cacheBytes / size),
      ...filled,
    }
  } finally {
    await memory.close()
  }
}

/** `remember` without waiting for the disk: on a copy, since it adds turns. */
async function timeUnflushed({ config, folder, embedder, size }: SizeRun): Promise<Metrics> {
  const path = join(folder, 'unflushed.db')
  await copyFile(join(folder, `${embedder}-${size}.db`), path)
  const memory = await open(config, path, embedder, 'normal')
  try {
    const scope = memory.scope({ user: PERSON })
    const nextTurn = turnGenerator({ seed: config.seed + 6, alternate: false, from: Date.UTC(2027, 0, 1) })
    await scope.recall('', { reinforce: false })
    const times = await timeCalls(() => scope.remember(nextTurn(), { session: 'measured' }), config)
    return timesNamed('remember_normal', times, size)
  } finally {
    await memory.close()
    await rm(path)
  }
}

async function fillFile(config: Config, path: string, embedder: Embedder, size: number): Promise<Metrics> {
  const memory = await open(config, path, embedder, 'normal')
  try {
    const nextTurn = turnGenerator({ seed: config.seed, alternate: false })
    const start = performance.now()
    await fill(memory, PERSON, size, nextTurn)
    const recorded = performance.now()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    await memory.drain()
    delay.disable()
    const drained = performance.now()
    const { memories } = await memory.stats()
    await memory.close()
    // At rest: closing writes the journal back into the file, whatever size it had.
    const { size: bytes } = await stat(path)
    return {
      [sized('fill_turns_per_second', size)]: round((size * TURNS_PER_MEMORY * 1000) / (recorded - start)),
      [sized('consolidation_ms', size)]: round(drained - recorded),
      [sized('consolidation_hold_p99_ms', size)]: round(delay.percentile(99) / 1e6),
      [sized('consolidation_hold_max_ms', size)]: round(delay.max / 1e6),
      [sized('bytes_per_memory_disk', size)]: round(bytes / size),
      // Beside the size that was asked for, so that a preset that makes fewer or more is seen.
      [sized('memories_live', size)]: memories.live,
    }
  } finally {
    await memory.close()
  }
}

function timeRecalls(config: Config, memory: Keepsake, chooseUser: () => string): Promise<CallTimes> {
  const nextQuestion = questionGenerator(config.seed + 3)
  return timeCalls(
    () =>
      memory.scope({ user: chooseUser() }).recall(nextQuestion(), { limit: config.limit, reinforce: false }),
    config,
  )
}

/** A recall that first has to take in a turn just remembered; the remembering itself is not timed. */
async function timeRecallsAfterWrites(
  config: Config,
  memory: Keepsake,
  nextTurn: () => TurnInput,
): Promise<CallTimes> {
  const nextQuestion = questionGenerator(config.seed + 4)
  const scope = memory.scope({ user: PERSON })
  const times: CallTimes[] = []
  for (let i = 0; i < Math.ceil(config.calls / 5); i += 1) {
    await scope.remember(nextTurn(), { session: 'measured' })
    const recall = () => scope.recall(nextQuestion(), { limit: config.limit, reinforce: false })
    times.push(await timeCalls(recall, { calls: 1, unmeasured: 0 }))
  }
  const sorted = times.map(({ p50 }) => p50).toSorted((a, b) => a - b)
  const at = (p: number) => sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), calls: sorted.length }
}

/**
 * Recall in one person's scope as others join: alone, then among a hundredth, a tenth and all of them; and at
 * the end over all scopes in random order, where most are not in the cache.
 */
async function measureIsolation(
  config: Config,
  { scopes, memories }: { scopes: number; memories: number },
  path: string,
): Promise<Metrics> {
  const memory = await open(config, path, 'seeded', 'normal')
  const metrics: Metrics = {}
  try {
    const nextTurn = turnGenerator({ seed: config.seed, alternate: false })
    const stops = new Set([1, Math.ceil(scopes / 100), Math.ceil(scopes / 10), scopes])
    for (let filled = 0; filled < scopes; filled += 1) {
      await fill(memory, `person-${filled}`, memories, nextTurn)
      if (!stops.has(filled + 1)) continue
      config.onProgress?.(`isolation: ${filled + 1} scopes`)
      await memory.drain()
      const { p50, p95, p99 } = await timeRecalls(config, memory, () => PERSON)
      const name = `isolation_recall_among_${filled + 1}_scopes`
      Object.assign(metrics, { [`${name}_p50_ms`]: p50, [`${name}_p95_ms`]: p95, [`${name}_p99_ms`]: p99 })
    }
    const random = seededRandom(config.seed + 5)
    const { p50, p95, p99 } = await timeRecalls(
      config,
      memory,
      () => `person-${Math.floor(random() * scopes)}`,
    )
    const all = metrics[`isolation_recall_among_${scopes}_scopes_p50_ms`] ?? Number.NaN
    const alone = metrics.isolation_recall_among_1_scopes_p50_ms ?? Number.NaN
    return {
      ...metrics,
      isolation_slowdown: round(all / alone),
      recall_any_scope_p50_ms: p50,
      recall_any_scope_p95_ms: p95,
      recall_any_scope_p99_ms: p99,
      isolation_bytes_disk: (await memory.stats()).bytes,
    }
  } finally {
    await memory.close()
  }
}

function scanMetrics({ sizes, seed }: Config): Metrics {
  const rows = Math.max(...sizes)
  const { figures } = benchVectorScan({ sizes: [rows], dimensions: [DIMENSIONS], kernels: ['simd'], seed })
  const [scan] = figures
  if (scan === undefined) return {}
  return {
    scan_over_memory_pass: scan.scan_over_memory_pass,
    [sized('scan_p50_ms', rows)]: scan.scan_p50_ms,
  }
}
