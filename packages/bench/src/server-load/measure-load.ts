import { setTimeout as sleep } from 'node:timers/promises'
import { openKeys } from '@keepsake/server'
import { askChild } from '../peers/ask-child.ts'
import { round } from '../perf/time-calls.ts'
import { ASK_LIBRARY, type LibraryAsked, type LibraryRequest } from './ask-library.ts'
import { ASK_SERVER, type Asked, type AskRequest } from './ask-server.ts'
import { openingOf, type LoadPlan, type LoadSetting } from './load-plan.ts'
import type { LoadFigures } from './run-load.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

export interface LoadRun {
  readonly path: string
  readonly setting: LoadSetting
  /** A `rate` of `null` is half of what the first run came to. */
  readonly plan: LoadPlan
  /** Asked as much as can be had before anything counts: compiled code is what is measured. */
  readonly warmUpSeconds: number
  readonly say: (step: string) => void
}

/** Calls, and what they asked of the process that answered them. */
export interface RunFigures extends LoadFigures {
  /** Processor time of that process, all threads, by the calls. */
  readonly cpu_ms_per_call: number
  /** Processors that it kept busy. */
  readonly cpus: number
}

export interface ServerRunFigures extends RunFigures {
  /** Processors that the asking kept busy, in its own process: near 1 it measures itself. */
  readonly asker_cpus: number
  readonly resident: ResidentFigures
}

/** Resident memory of the server, in millions of bytes. */
export interface ResidentFigures {
  /** At the beginning, at each sixth of the run, and at its end. */
  readonly mb: readonly number[]
  /** JavaScript's own at the beginning and at the end, after garbage was collected. */
  readonly heap_mb: readonly [before: number, after: number]
}

interface Steady {
  readonly rate: number
}

export interface ServerLoad {
  readonly full: ServerRunFigures
  readonly steady: ServerRunFigures & Steady
}

export interface LibraryLoad {
  readonly full: RunFigures
  readonly steady: RunFigures & Steady
}

const MEGABYTE = 1_000_000
const SAMPLES = 6

/** Starts a server on the file, asks as much as it takes, then at the steady rate, and stops it. */
export async function measureServer({
  path,
  setting,
  plan,
  warmUpSeconds,
  say,
}: LoadRun): Promise<ServerLoad> {
  const key = await makeKey(path)
  const server = await startServerProcess({ path, ...openingOf(setting) })
  try {
    const warmUp = { ...plan, rate: null, seconds: warmUpSeconds, seed: plan.seed + 50 }
    await askChild<Asked>(ASK_SERVER, { url: server.url, key, plan: warmUp } satisfies AskRequest)
    say('the server, as much as it takes')
    const full = await runServer(server, key, { ...plan, rate: null })
    const rate = plan.rate ?? halfOf(full)
    say(`the server at ${rate} calls a second`)
    const steady = await runServer(server, key, { ...plan, rate, seed: plan.seed + 100 })
    return { full, steady: { ...steady, rate } }
  } finally {
    await server.stop()
  }
}

/** The same calls of the library, in the process that asks. `rate` is that of its steady run. */
export async function measureLibrary(
  { path, setting, plan, warmUpSeconds, say }: LoadRun,
  rate: number,
): Promise<LibraryLoad> {
  say('the library, as much as it takes and at that rate')
  const [, full, steady] = await askChild<LibraryAsked[]>(ASK_LIBRARY, {
    path,
    setting,
    plans: [
      { ...plan, rate: null, seconds: warmUpSeconds, seed: plan.seed + 50 },
      { ...plan, rate: null },
      { ...plan, rate, seed: plan.seed + 100 },
    ],
  } satisfies LibraryRequest)
  if (full === undefined || steady === undefined)
    throw new Error('The library ran fewer plans than it was given.')
  return { full: libraryFigures(full), steady: { ...libraryFigures(steady), rate } }
}

function libraryFigures({ figures, cpuMs }: LibraryAsked): RunFigures {
  return { ...figures, ...cpuFigures(figures, cpuMs) }
}

function halfOf({ requests_per_second: rate }: LoadFigures): number {
  return Math.max(1, Math.round(rate / 2))
}

/** For everything that the load asks for, with a limit that it never meets, so that counting against one is measured too. */
async function makeKey(path: string): Promise<string> {
  const { keys, close } = await openKeys(path)
  try {
    return (await keys.create({ name: 'load', requestsPerMinute: 1_000_000_000 })).key
  } finally {
    await close()
  }
}

async function runServer(server: ServerProcess, key: string, plan: LoadPlan): Promise<ServerRunFigures> {
  const before = await server.usage({ collect: true })
  const resident = [before.residentBytes]
  const asking = askChild<Asked>(ASK_SERVER, { url: server.url, key, plan } satisfies AskRequest)
  const { figures, askerCpus } = await whileSampling(asking, (plan.seconds * 1_000) / SAMPLES, async () => {
    resident.push((await server.usage()).residentBytes)
  })
  const { cpuMs } = await server.usage()
  await server.settle()
  const after = await server.usage({ collect: true })
  return {
    ...figures,
    ...cpuFigures(figures, cpuMs - before.cpuMs),
    asker_cpus: round(askerCpus),
    resident: {
      mb: resident.map(megabytes),
      heap_mb: [megabytes(before.heapBytes), megabytes(after.heapBytes)],
    },
  }
}

async function whileSampling<Result>(
  work: Promise<Result>,
  everyMs: number,
  sample: () => Promise<void>,
): Promise<Result> {
  const done = new AbortController()
  const sampling = sampleUntil(done.signal, everyMs, sample)
  try {
    return await work
  } finally {
    done.abort()
    await sampling
  }
}

async function sampleUntil(done: AbortSignal, everyMs: number, sample: () => Promise<void>): Promise<void> {
  for (let taken = 0; taken < SAMPLES && !done.aborted; taken += 1) {
    await sleep(everyMs, undefined, { signal: done }).catch(() => undefined)
    await sample()
  }
}

function cpuFigures(
  { all, seconds }: LoadFigures,
  cpuMs: number,
): Pick<RunFigures, 'cpu_ms_per_call' | 'cpus'> {
  return { cpu_ms_per_call: round(cpuMs / Math.max(1, all.count)), cpus: round(cpuMs / 1_000 / seconds) }
}

function megabytes(bytes: number): number {
  return round(bytes / MEGABYTE)
}
