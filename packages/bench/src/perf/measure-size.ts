import { copyFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openMemory, type Keepsake, type PresetName, type TurnInput } from 'keepsake'
import { ALL, type Figure } from '../log/figure.ts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { findFigure, plainFigures } from '../results/plain-figures.ts'
import { questionGenerator, seededVectors, turnGenerator } from './generate.ts'
import { openOnce } from './open-once.ts'
import { meanProcessorTime, round, timeCalls, timeFigures, type CallTimes } from './time-calls.ts'

/** Filling is in large calls; what a call costs is measured apart, one turn at a time. */
const TURNS_PER_FILL = 1_000
const PERSON = 'person-0'
const MEASURED = { session: 'measured' }
/** After all that filling says. */
const LATER = Date.UTC(2028, 0, 1)
/** The clock of the memory: after all that is ever said, however many turns there are, a minute each. */
const NOW = Date.UTC(2029, 0, 1)

export interface PerfConfig {
  readonly folder: string
  readonly preset: PresetName
  readonly seed: number
  readonly calls: number
  readonly unmeasured: number
  /** Memories returned by a recall. */
  readonly limit: number
  readonly dimensions: number
}

type Embedder = 'seeded' | 'built-in'

interface SizeRun {
  /** `seeded` is seeded dimensions, `built-in` the engine's own. */
  readonly embedder: Embedder
  /** The user alone speaks, so that each turn makes one memory and a size is what it says. */
  readonly size: number
  readonly say: (what: string) => void
}

/**
 * One memory of a size. It is filled with `synchronous: 'normal'` and nothing is let go, so that a size is what it says;
 * everything measured runs on the file opened again with the default, `full`. Text is Zipf-worded and seeded; every call
 * is awaited before the next. One process, but for opening, which a process of its own measures.
 */
export async function measureSize(config: PerfConfig, run: SizeRun): Promise<Figure[]> {
  const { embedder, size, say } = run
  const { folder, seed, preset, dimensions } = config
  const path = join(folder, `${embedder}-${size}.db`)
  const slice = `memories:${size}`
  say('filling')
  const filled = await fillFile(config, path, run)
  say('opening')
  const opened = await openOnce({
    path,
    user: PERSON,
    question: questionGenerator(seed + 7)(),
    preset,
    dimensions: embedder === 'seeded' ? dimensions : null,
  })
  const unflushed = await timeUnflushed(config, path, embedder)
  const memory = await open(config, path, embedder, 'full')
  const times = (name: string, of: CallTimes): Figure[] => timeFigures(slice, name, of)
  try {
    say('recalling')
    const recall = await timeRecalls(config, memory, () => PERSON)
    const recallProcessorMs = await meanProcessorTime(
      nextRecall(config, memory, () => PERSON),
      config,
    )
    say('remembering')
    const nextTurn = laterTurns(seed + 2)
    const scope = memory.scope({ user: PERSON })
    const remember = await timeCalls(() => scope.remember(nextTurn(), MEASURED), config)
    return [
      ...times('recall', recall),
      ...times('remember', remember),
      ...times('remember_normal', unflushed),
      ...times('recall_after_remember', await timeRecallsAfterWrites(config, memory, nextTurn)),
      ...plainFigures('speed', slice, {
        recall_processor_ms: round(recallProcessorMs),
        open_ms: round(opened.openMs),
        process_start_ms: round(opened.startMs),
        bytes_per_memory_ram: round(opened.residentBytes / size),
        cache_bytes_per_memory: round(opened.cacheBytes / size),
        ...filled,
      }),
    ]
  } finally {
    await memory.close()
  }
}

function open(
  { preset, dimensions }: PerfConfig,
  path: string,
  embedder: Embedder,
  synchronous: 'full' | 'normal',
): Promise<Keepsake> {
  const embedding = embedder === 'seeded' ? { embedding: seededVectors(dimensions) } : {}
  const clock = { now: () => NOW }
  return openMemory({ path, preset, retention: { when: 'never' }, synchronous, ...clock, ...embedding })
}

async function fill(
  memory: Keepsake,
  user: string,
  memories: number,
  nextTurn: () => TurnInput,
): Promise<void> {
  const scope = memory.scope({ user })
  for (let left = memories; left > 0; left -= TURNS_PER_FILL) {
    const turns = Array.from({ length: Math.min(left, TURNS_PER_FILL) }, nextTurn)
    await scope.remember(turns, { session: `session-${left}` })
  }
}

const laterTurns = (seed: number) => turnGenerator(seed, LATER)

/** `remember` without waiting for the disk: on a copy, since it adds turns. */
async function timeUnflushed(config: PerfConfig, path: string, embedder: Embedder): Promise<CallTimes> {
  const copy = join(config.folder, 'unflushed.db')
  await copyFile(path, copy)
  const memory = await open(config, copy, embedder, 'normal')
  try {
    const scope = memory.scope({ user: PERSON })
    const nextTurn = laterTurns(config.seed + 6)
    await scope.recall('', { reinforce: false })
    return await timeCalls(() => scope.remember(nextTurn(), MEASURED), config)
  } finally {
    await memory.close()
    await rm(copy)
  }
}

async function fillFile(
  config: PerfConfig,
  path: string,
  { embedder, size }: SizeRun,
): Promise<Record<string, number>> {
  const memory = await open(config, path, embedder, 'normal')
  try {
    const nextTurn = turnGenerator(config.seed)
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
      fill_turns_per_second: round((size * 1_000) / (recorded - start)),
      consolidation_ms: round(drained - recorded),
      consolidation_hold_p99_ms: round(delay.percentile(99) / 1e6),
      consolidation_hold_max_ms: round(delay.max / 1e6),
      bytes_per_memory_disk: round(bytes / size),
      // Beside the size that was asked for, so that a preset that makes fewer or more is seen.
      memories_live: memories.live,
    }
  } finally {
    await memory.close()
  }
}

function nextRecall({ seed, limit }: PerfConfig, memory: Keepsake, chooseUser: () => string) {
  const nextQuestion = questionGenerator(seed + 3)
  return () => memory.scope({ user: chooseUser() }).recall(nextQuestion(), { limit, reinforce: false })
}

function timeRecalls(config: PerfConfig, memory: Keepsake, chooseUser: () => string): Promise<CallTimes> {
  return timeCalls(nextRecall(config, memory, chooseUser), config)
}

/** A recall that first has to take in a turn just remembered; the remembering itself is not timed. */
async function timeRecallsAfterWrites(
  { seed, calls, limit }: PerfConfig,
  memory: Keepsake,
  nextTurn: () => TurnInput,
): Promise<CallTimes> {
  const nextQuestion = questionGenerator(seed + 4)
  const scope = memory.scope({ user: PERSON })
  const times: number[] = []
  for (let i = 0; i < Math.ceil(calls / 5); i += 1) {
    await scope.remember(nextTurn(), MEASURED)
    const recall = () => scope.recall(nextQuestion(), { limit, reinforce: false })
    times.push(...(await timeCalls(recall, { calls: 1, unmeasured: 0 })))
  }
  return times
}

/**
 * Recall in one person's scope as others join: alone, then among a hundredth, a tenth and all of them; and at
 * the end over all scopes in random order, where most are not in the cache.
 */
export async function measureIsolation(
  config: PerfConfig,
  {
    scopes,
    memories,
    say,
  }: { readonly scopes: number; readonly memories: number; say: (what: string) => void },
): Promise<Figure[]> {
  const memory = await open(config, join(config.folder, 'many.db'), 'seeded', 'normal')
  const figures: Figure[] = []
  try {
    const nextTurn = turnGenerator(config.seed)
    const stops = new Set([1, Math.ceil(scopes / 100), Math.ceil(scopes / 10), scopes])
    for (let filled = 1; filled <= scopes; filled += 1) {
      await fill(memory, `person-${filled - 1}`, memories, nextTurn)
      if (!stops.has(filled)) continue
      say(`${filled} scopes`)
      await memory.drain()
      const times = await timeRecalls(config, memory, () => PERSON)
      figures.push(...timeFigures(`scopes:${filled}`, 'recall', times))
    }
    const random = seededRandom(config.seed + 5)
    const anywhere = await timeRecalls(config, memory, () => `person-${Math.floor(random() * scopes)}`)
    const p50Among = (count: number): number =>
      findFigure(figures, 'speed', 'recall_p50_ms', `scopes:${count}`)?.value ?? Number.NaN
    return [
      ...figures,
      ...plainFigures('speed', `scopes:${scopes}`, { slowdown: round(p50Among(scopes) / p50Among(1)) }),
      ...timeFigures(ALL, 'recall_any_scope', anywhere),
      ...plainFigures('speed', ALL, { bytes_disk: (await memory.stats()).bytes }),
    ]
  } finally {
    await memory.close()
  }
}
