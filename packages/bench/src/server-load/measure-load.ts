import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Figure, SystemFigures } from '../log/figure.ts'
import { askChild } from '../processes/child.ts'
import { round } from '../perf/time-calls.ts'
import { findFigure, plainFigures } from '../results/plain-figures.ts'
import { ASK_LIBRARY, type LibraryAsked, type LibraryRequest, type ProcessorUsed } from './ask-library.ts'
import { Asker } from './ask-server.ts'
import { LOAD_SETTINGS, openingOf, type LoadPlan, type LoadSettingName } from './load-plan.ts'
import type { RoomTimes } from '../processes/cpu-profile.ts'
import type { LoadRecord } from './run-load.ts'
import { makeKey, ServerProcess } from './server-process.ts'

export interface SettingRun extends Omit<LoadPlan, 'reinforce'> {
  readonly name: LoadSettingName
  /** Asked as much as can be had before anything counts: compiled code is what is measured. */
  readonly warmUpSeconds: number
  readonly folder: string
  /** Processes of the server. */
  readonly workers: number
  /** Whether a profile of the server is taken, which costs it a few hundredths. */
  readonly profile: boolean
  /** Whether the library is left out. */
  readonly alone: boolean
  /** The file that server and library each begin with a copy of. */
  readonly filledFile: string
  readonly say: (step: string) => void
}

/** At least so many looks at what is held; a look a minute where a run is longer. */
const SAMPLES = 6
/** Seeds of the runs: so that no run asks what another asked. */
const WARM_UP_SEED = 50
const STEADY_SEED = 100
const SUFFIXES = ['', '-wal', '-shm']

/** A run: its figures, the rate it was asked at (`null`: as much as it takes), and what was noted on the way. */
interface Ran {
  readonly rate: number | null
  readonly figures: Readonly<Record<string, number>>
  readonly records: unknown
  /** Of each minute of a long run. */
  readonly minutes: LoadRecord['minutes']
  /** Processor time a call by room, in milliseconds; of the library none is taken. */
  readonly rooms?: RoomTimes
}

interface Runs {
  readonly full: Ran
  readonly steady: Ran
}

/** One setting: the server as much as it takes and at a steady rate, and the library asked the same in the asker's process. */
export async function measureSetting(
  run: SettingRun,
): Promise<{ readonly results: SystemFigures[]; readonly records: unknown }> {
  const server = await onCopy(run, (path) => measureServer(run, path))
  const ofServer = figuresOf(run.name, server)
  if (run.alone)
    return {
      results: [{ system: 'server', figures: ofServer }],
      records: { server: recordsOf(server) },
    }
  const library = await onCopy(run, (path) => measureLibrary(run, path, server.steady.rate))
  const ofLibrary = figuresOf(run.name, library)
  const cpu = (figures: readonly Figure[]): number =>
    findFigure(figures, 'load', 'cpu_ms_per_call', `${run.name}:full`)?.value ?? Number.NaN
  const adds = { cost_over_library_ms: round(cpu(ofServer) - cpu(ofLibrary)) }
  return {
    results: [
      { system: 'server', figures: [...ofServer, ...plainFigures('load', `${run.name}:full`, adds)] },
      { system: 'library', figures: ofLibrary },
    ],
    records: { server: recordsOf(server), library: recordsOf(library) },
  }
}

function figuresOf(name: LoadSettingName, { full, steady }: Runs): Figure[] {
  const minutes = (kind: 'full' | 'steady', ran: Ran): Figure[] =>
    ran.minutes.flatMap((figures, minute) =>
      plainFigures('load', `${name}:${kind}:minute-${minute + 1}`, figures),
    )
  return [
    ...plainFigures('load', `${name}:full`, full.figures),
    ...minutes('full', full),
    ...Object.entries(full.rooms ?? {}).flatMap(([room, cpu_ms_per_call]) =>
      plainFigures('load', `${name}:full:${room}`, { cpu_ms_per_call }),
    ),
    ...plainFigures('load', `${name}:steady`, { asked_per_second: steady.rate, ...steady.figures }),
    ...minutes('steady', steady),
  ]
}

function recordsOf({ full, steady }: Runs) {
  return { full: full.records, steady: steady.records }
}

async function onCopy<Result>(
  { name, folder, filledFile }: SettingRun,
  measure: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, `${name}.db`)
  await copyFile(filledFile, path)
  const result = await measure(path)
  for (const suffix of SUFFIXES) await rm(path + suffix, { force: true })
  return result
}

function planOf(run: SettingRun): Omit<LoadPlan, 'rate'> {
  const { scopes, connections, pooled, seconds, recallShare, seed, name } = run
  return { scopes, connections, pooled, seconds, recallShare, seed, reinforce: LOAD_SETTINGS[name].reinforce }
}

/** Starts a server on the file, asks as much as it takes, then at the steady rate, and stops it. */
async function measureServer(run: SettingRun, path: string): Promise<Runs> {
  const plan = planOf(run)
  const { seed } = plan
  // With a limit that is never met, so that counting against one is measured too.
  const key = await makeKey(path)
  const { workers } = run
  const server = await ServerProcess.start({ path, workers, ...openingOf(LOAD_SETTINGS[run.name]) })
  const asker = (of: LoadPlan): Promise<Asker> => Asker.start({ url: server.url, key, plan: of })
  try {
    const warming = await asker({
      ...plan,
      rate: null,
      seconds: run.warmUpSeconds,
      seed: seed + WARM_UP_SEED,
    })
    await warming.run()
    run.say('the server, as much as it takes')
    const full = await watch({ server, run, rate: null }, await asker({ ...plan, rate: null }))
    const rate = run.rate ?? halfOf(full)
    run.say(`the server at ${rate} calls a second`)
    const steady = await watch(
      { server, run, rate },
      await asker({ ...plan, rate, seed: seed + STEADY_SEED }),
    )
    return { full, steady }
  } finally {
    await server.stop()
  }
}

/** The same calls of the library, in the process that asks. */
async function measureLibrary(run: SettingRun, path: string, rate: number | null): Promise<Runs> {
  const plan = planOf(run)
  const { seed } = plan
  run.say('the library, as much as it takes and at that rate')
  const [, full, steady] = await askChild<LibraryAsked[]>(ASK_LIBRARY, {
    path,
    setting: LOAD_SETTINGS[run.name],
    plans: [
      { ...plan, rate: null, seconds: run.warmUpSeconds, seed: seed + WARM_UP_SEED },
      { ...plan, rate: null },
      { ...plan, rate, seed: seed + STEADY_SEED },
    ],
  } satisfies LibraryRequest)
  if (full === undefined || steady === undefined)
    throw new Error('The library ran fewer plans than it was given.')
  const ran = ({ record, used }: LibraryAsked, at: number | null): Ran => ({
    rate: at,
    figures: { ...record.figures, ...cpuFigures(record, used) },
    records: { errors: record.errors },
    minutes: record.minutes,
  })
  return { full: ran(full, null), steady: ran(steady, rate) }
}

function halfOf({ figures }: Ran): number {
  return Math.max(1, Math.round((figures['requests_per_second'] ?? 0) / 2))
}

interface Watched {
  readonly server: ServerProcess
  readonly run: SettingRun
  readonly rate: number | null
}

/** How much was held more each minute in the second half of a run: what it began with was not yet warm. */
function growthOf(resident: readonly number[], seconds: number): number {
  const half = resident.slice(Math.floor(resident.length / 2))
  const minutes = ((half.length - 1) * seconds) / (resident.length - 1) / 60
  return minutes === 0 ? 0 : Math.round(((half.at(-1) ?? 0) - (half[0] ?? 0)) / minutes)
}

function perCall(rooms: RoomTimes, { figures }: LoadRecord): RoomTimes {
  const calls = Math.max(1, figures['calls'] ?? 0)
  return Object.fromEntries(Object.entries(rooms).map(([room, ms]) => [room, round(ms / calls)]))
}

/** A run of the server, and what it held and used meanwhile: nothing that was left of an earlier one is counted. */
async function watch({ server, run, rate }: Watched, asker: Asker): Promise<Ran> {
  const { seconds, profile } = run
  await server.settle()
  const before = await server.usage(true)
  if (profile) await server.profile()
  const resident = [before.residentBytes]
  const samples = Math.max(SAMPLES, Math.floor(seconds / 60))
  const { record, askerCpus } = await whileSampling(asker.run(), seconds, samples, async () => {
    resident.push((await server.usage()).residentBytes)
  })
  const { cpuMs } = await server.usage()
  await server.settle()
  const { cpuMs: settledCpuMs } = await server.usage()
  const rooms = profile ? await server.profiled() : null
  const after = await server.usage(true)
  const used = { cpuMs: cpuMs - before.cpuMs, settledCpuMs: settledCpuMs - before.cpuMs }
  return {
    rate,
    figures: {
      ...record.figures,
      ...cpuFigures(record, used),
      asker_cpus: round(askerCpus),
      resident_bytes_before: before.residentBytes,
      resident_bytes_after: resident.at(-1) ?? before.residentBytes,
      heap_bytes_before: before.heapBytes,
      heap_bytes_after: after.heapBytes,
      resident_growth_bytes_per_minute: growthOf(resident, seconds),
    },
    rooms: rooms === null ? {} : perCall(rooms, record),
    // Of a run longer than six minutes a look is a minute.
    minutes: record.minutes.map((minute, at) =>
      samples > SAMPLES ? { ...minute, resident_bytes: resident[at + 1] ?? Number.NaN } : minute,
    ),
    // At the beginning, at each look, and at the end.
    records: { errors: record.errors, residentBytes: resident },
  }
}

async function whileSampling<Result>(
  work: Promise<Result>,
  seconds: number,
  samples: number,
  sample: () => Promise<void>,
): Promise<Result> {
  const done = new AbortController()
  const sampling = sampleEvery((seconds * 1_000) / samples, samples, done.signal, sample)
  try {
    return await work
  } finally {
    done.abort()
    await sampling
  }
}

async function sampleEvery(
  everyMs: number,
  samples: number,
  done: AbortSignal,
  sample: () => Promise<void>,
): Promise<void> {
  for (let taken = 0; taken < samples && !done.aborted; taken += 1) {
    await sleep(everyMs, undefined, { signal: done }).catch(() => undefined)
    await sample()
  }
}

/**
 * Processor time of the process that answered, all threads, by the calls, with what they left to be done in the background: who answers
 * faster leaves more. How much of it came after the last answer; and how many processors were busy while it was asked.
 */
function cpuFigures({ figures }: LoadRecord, { cpuMs, settledCpuMs }: ProcessorUsed): Record<string, number> {
  const { calls = 0, ran_ms: ranMs = Number.NaN } = figures
  const perCall = (ms: number): number => round(ms / Math.max(1, calls))
  return {
    cpu_ms_per_call: perCall(settledCpuMs),
    cpu_ms_afterwards_per_call: perCall(settledCpuMs - cpuMs),
    cpus: round(cpuMs / ranMs),
  }
}
