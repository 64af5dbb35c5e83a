import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { round } from '../perf/time-calls.ts'
import { askChild } from '../peers/ask-child.ts'
import { FILL_SCOPES, type Filled, type FillRequest } from './fill-scopes.ts'
import { LOAD_SETTINGS, type LoadSettingName } from './load-plan.ts'
import { measureLibrary, measureServer, type LibraryLoad, type ServerLoad } from './measure-load.ts'

export interface BenchServerOptions {
  /** People who ask at the same time, each over a connection of their own. Default 200. */
  readonly scopes?: number
  /** Turns told each of them before, a memory each. Default 1,000. */
  readonly memories?: number
  /** Seconds a run. Default 60. */
  readonly seconds?: number
  /** How many of all calls recall; the others remember a turn. Default 0.8. */
  readonly recallShare?: number
  /** Calls a second of the second run. Default half of what the first came to. */
  readonly rate?: number | null
  /** Default `default` alone. */
  readonly settings?: readonly LoadSettingName[]
  /** Default 1. */
  readonly seed?: number
  /** Where the files are made; they are removed at the end. Default the system's temporary folder. */
  readonly folder?: string
  readonly onProgress?: (step: string) => void
}

/** One setting: the server, and the library called in the process of whoever asks. */
export interface SettingFigures {
  readonly server: ServerLoad
  readonly library: LibraryLoad
  /** Processor time of a call through the server over that of the same call of the library, in milliseconds. */
  readonly server_cost_ms: number
}

export interface ServerReport {
  readonly benchmark: 'server'
  readonly dataset: 'generated'
  readonly config: Readonly<Record<string, unknown>>
  readonly runtime: {
    readonly node: string
    readonly platform: string
    readonly arch: string
    readonly processors: number
    /** Load average over a minute, before the run and after; the run itself is in the second. */
    readonly load: readonly [before: number, after: number]
  }
  readonly filled: { readonly memories: number; readonly seconds: number }
  readonly metrics: Readonly<Partial<Record<LoadSettingName, SettingFigures>>>
}

type Config = Required<Omit<BenchServerOptions, 'onProgress'>>

/**
 * A server under load, in a process of its own on loopback with a key, asked from another: as much as it takes, then at a
 * steady rate. The same calls are made of the library, in the process of whoever asks, so that what the server adds is seen.
 *
 * @throws Error when a process ends before it has answered.
 * @example
 * const { metrics } = await benchServer({ scopes: 20, memories: 100, seconds: 5 })
 * metrics.default?.server.full.all.p99_ms
 */
export async function benchServer(options: BenchServerOptions = {}): Promise<ServerReport> {
  const config = withDefaults(options)
  const say = options.onProgress ?? (() => undefined)
  const before = loadOfMachine()
  const folder = await mkdtemp(join(config.folder, 'keepsake-load-'))
  const metrics: Partial<Record<LoadSettingName, SettingFigures>> = {}
  try {
    say(`filling ${config.scopes} scopes with ${config.memories} memories each`)
    const filledFile = join(folder, 'filled.db')
    const { scopes, memories, seed } = config
    const filled = await askChild<Filled>(FILL_SCOPES, {
      path: filledFile,
      scopes,
      memories,
      seed,
    } satisfies FillRequest)
    for (const name of config.settings)
      metrics[name] = await measureSetting(name, { config, folder, filledFile, say })
    const { platform, arch, versions } = process
    return {
      benchmark: 'server',
      dataset: 'generated',
      config: describeConfig(config),
      runtime: {
        node: versions.node,
        platform,
        arch,
        processors: availableParallelism(),
        load: [before, loadOfMachine()],
      },
      filled: { memories: filled.memories, seconds: round(filled.seconds) },
      metrics,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const WARM_UP_SECONDS = 10

interface SettingRun {
  readonly config: Config
  readonly folder: string
  readonly filledFile: string
  readonly say: (step: string) => void
}

/** Server and library each begin with the file as it was filled. */
async function measureSetting(name: LoadSettingName, run: SettingRun): Promise<SettingFigures> {
  const { config, folder, filledFile, say } = run
  const setting = LOAD_SETTINGS[name]
  const { scopes, seconds, recallShare, rate, seed } = config
  const plan = { scopes, seconds, recallShare, rate, seed, reinforce: setting.reinforce }
  const warmUpSeconds = Math.min(WARM_UP_SECONDS, seconds)
  const path = join(folder, `${name}.db`)
  const load = { path, setting, plan, warmUpSeconds, say: (step: string) => say(`${name}: ${step}`) }
  await copyFile(filledFile, path)
  const server = await measureServer(load)
  await removeFiles(path)
  await copyFile(filledFile, path)
  const library = await measureLibrary(load, server.steady.rate)
  await removeFiles(path)
  const { cpu_ms_per_call: ofServer } = server.full
  const { cpu_ms_per_call: ofLibrary } = library.full
  return { server, library, server_cost_ms: round(ofServer - ofLibrary) }
}

const SUFFIXES = ['', '-wal', '-shm']

async function removeFiles(path: string): Promise<void> {
  for (const suffix of SUFFIXES) await rm(path + suffix, { force: true })
}

function withDefaults(options: BenchServerOptions): Config {
  return {
    scopes: options.scopes ?? 200,
    memories: options.memories ?? 1_000,
    seconds: options.seconds ?? 60,
    recallShare: options.recallShare ?? 0.8,
    rate: options.rate ?? null,
    settings: options.settings ?? ['default'],
    seed: options.seed ?? 1,
    folder: options.folder ?? tmpdir(),
  }
}

function describeConfig(config: Config): Record<string, unknown> {
  const { scopes, memories, seconds, recallShare, rate, settings, seed } = config
  return {
    scopes,
    memories,
    seconds,
    recallShare,
    warmUpSeconds: Math.min(WARM_UP_SECONDS, seconds),
    rate: rate ?? 'half of the first run',
    seed,
    settings: Object.fromEntries(settings.map((name) => [name, LOAD_SETTINGS[name]])),
  }
}

function loadOfMachine(): number {
  return round(loadavg()[0] ?? 0)
}
