import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { round } from '../perf/time-calls.ts'
import { askChild } from './ask-child.ts'
import { benchKills, type KillReport } from './bench-kills.ts'
import { LOAD_PEER, type LoadRequest, type LoadResult, type OpenResult } from './load-peer.ts'
import { PEER_NAMES, type PeerName, type PeerUsage } from './peer.ts'

export interface BenchPeersOptions {
  /** Facts that a memory holds when it is measured. Default 1,000 and 10,000. */
  readonly sizes?: readonly number[]
  /** Default all. */
  readonly peers?: readonly PeerName[]
  /** Calls measured of each kind, the same for every system. Default 200, from 10,000 facts on 60. */
  readonly calls?: number
  /** Calls before them that do not count. Default 5. */
  readonly unmeasured?: number
  /** Kills of each system. Default 20; 0 leaves them out. */
  readonly kills?: number
  /** Default 1. */
  readonly seed?: number
  /** Where the files are made; they are removed at the end. Default the system's temporary folder. */
  readonly folder?: string
  readonly onProgress?: (step: string) => void
}

/** One system at one size. Times in milliseconds; what is told a call is a mean over the calls measured. */
export interface PeerFigures {
  readonly facts: number
  readonly fill_ms: number
  readonly calls: number
  readonly add_p50_ms: number
  readonly add_p95_ms: number
  readonly search_p50_ms: number
  readonly search_p95_ms: number
  /** Work in the background that was left after the last add. */
  readonly settle_ms: number
  readonly model_calls_per_add: number
  readonly prompt_characters_per_add: number
  readonly prompt_tokens_per_add: number
  readonly answer_tokens_per_add: number
  readonly embedding_requests_per_add: number
  readonly model_calls_per_search: number
  readonly embedding_requests_per_search: number
  readonly disk_bytes: number
  readonly open_ms: number
  readonly open_resident_bytes: number
  readonly peak_resident_bytes: number
  /** A plain request over loopback as long as the model's prompt; absent where nothing goes over it. */
  readonly loopback_p50_ms?: number
}

export interface PeersReport {
  readonly benchmark: 'peers'
  readonly dataset: 'generated'
  readonly config: Readonly<Record<string, unknown>>
  readonly runtime: {
    readonly node: string
    readonly platform: string
    readonly arch: string
    /** Load average over a minute, before the run and after: what else the machine did. */
    readonly load: readonly [before: number, after: number]
  }
  /** By size, then by system. */
  readonly metrics: Readonly<Record<string, Readonly<Partial<Record<PeerName, PeerFigures>>>>>
  /** What survived being killed, by system. */
  readonly kills: Readonly<Partial<Record<PeerName, KillReport>>>
}

const DIMENSIONS = 384
const LIMIT = 10
const LARGE = 10_000
const CALLS = 200
const CALLS_WHEN_LARGE = 60

type Config = Required<Omit<BenchPeersOptions, 'onProgress' | 'calls'>> & { readonly calls: number | null }

/**
 * Keepsake and Mem0's npm package side by side: the same talk, the same model that answers at once, the same embedder,
 * each system through its public calls with its default durable embedded store, in processes of its own.
 *
 * @throws Mem0MissingError (told by the child that could not load it) when Mem0 is not installed.
 * @example
 * const { metrics } = await benchPeers({ sizes: [1000], kills: 0 })
 * metrics['1000']?.mem0?.add_p50_ms
 */
export async function benchPeers(options: BenchPeersOptions = {}): Promise<PeersReport> {
  const { onProgress } = options
  const config = withDefaults(options)
  const before = loadOfMachine()
  const folder = await mkdtemp(join(config.folder, 'keepsake-peers-'))
  const metrics: Record<string, Partial<Record<PeerName, PeerFigures>>> = {}
  const kills: Partial<Record<PeerName, KillReport>> = {}
  try {
    for (const size of config.sizes)
      for (const peer of config.peers) {
        onProgress?.(`${size} facts: ${peer}`)
        metrics[size] = { ...metrics[size], [peer]: await measurePeer({ config, folder, peer, size }) }
      }
    for (const peer of config.kills > 0 ? config.peers : []) {
      onProgress?.(`${config.kills} kills: ${peer}`)
      kills[peer] = await benchKills({ peer, kills: config.kills, seed: config.seed, folder })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const { platform, arch } = process
  return {
    benchmark: 'peers',
    dataset: 'generated',
    config: describeConfig(config),
    runtime: { node: process.versions.node, platform, arch, load: [before, loadOfMachine()] },
    metrics,
    kills,
  }
}

function withDefaults(options: BenchPeersOptions): Config {
  return {
    sizes: options.sizes ?? [1_000, LARGE],
    peers: options.peers ?? PEER_NAMES,
    calls: options.calls ?? null,
    unmeasured: options.unmeasured ?? 5,
    kills: options.kills ?? 20,
    seed: options.seed ?? 1,
    folder: options.folder ?? tmpdir(),
  }
}

function describeConfig({ sizes, peers, calls, unmeasured, kills, seed }: Config): Record<string, unknown> {
  return {
    sizes,
    peers,
    calls: calls ?? { below10000: CALLS, from10000: CALLS_WHEN_LARGE },
    unmeasured,
    kills,
    seed,
    dimensions: DIMENSIONS,
    limit: LIMIT,
    embedder: { measured: 'seeded vectors', killed: "Keepsake's word vectors" },
    model: 'scripted: three facts a round, at once',
    fill: '16 rounds a call',
  }
}

interface PeerRun {
  readonly config: Config
  readonly folder: string
  readonly peer: PeerName
  readonly size: number
}

async function measurePeer({ config, folder, peer, size }: PeerRun): Promise<PeerFigures> {
  const own = await mkdtemp(join(folder, `${peer}-${size}-`))
  const { seed, unmeasured } = config
  const calls = config.calls ?? (size < LARGE ? CALLS : CALLS_WHEN_LARGE)
  const request: LoadRequest = {
    phase: 'load',
    peer,
    folder: own,
    embedding: DIMENSIONS,
    seed,
    size,
    calls,
    unmeasured,
    limit: LIMIT,
  }
  const loaded = await askChild<LoadResult>(LOAD_PEER, request)
  const bytes = await bytesOf(own)
  const opened = await askChild<OpenResult>(LOAD_PEER, { ...request, phase: 'open' })
  await rm(own, { recursive: true, force: true })
  return figuresOf(loaded, opened, bytes)
}

function figuresOf(loaded: LoadResult, opened: OpenResult, bytes: number): PeerFigures {
  const { add, search, loopbackMs } = loaded
  const perAdd = (of: keyof PeerUsage): number => round(loaded.addUsage[of] / add.calls)
  const perSearch = (of: keyof PeerUsage): number => round(loaded.searchUsage[of] / search.calls)
  return {
    facts: loaded.facts,
    fill_ms: Math.round(loaded.fillMs),
    calls: add.calls,
    add_p50_ms: add.p50,
    add_p95_ms: add.p95,
    search_p50_ms: search.p50,
    search_p95_ms: search.p95,
    settle_ms: Math.round(loaded.settleMs),
    model_calls_per_add: perAdd('calls'),
    prompt_characters_per_add: perAdd('inputCharacters'),
    prompt_tokens_per_add: perAdd('inputTokens'),
    answer_tokens_per_add: perAdd('outputTokens'),
    embedding_requests_per_add: perAdd('embeddingRequests'),
    model_calls_per_search: perSearch('calls'),
    embedding_requests_per_search: perSearch('embeddingRequests'),
    disk_bytes: bytes,
    open_ms: round(opened.openMs),
    open_resident_bytes: opened.residentBytes,
    peak_resident_bytes: loaded.peakBytes - loaded.startBytes,
    ...(loopbackMs === null ? {} : { loopback_p50_ms: loopbackMs }),
  }
}

async function bytesOf(folder: string): Promise<number> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

function loadOfMachine(): number {
  return round(loadavg()[0] ?? 0)
}
