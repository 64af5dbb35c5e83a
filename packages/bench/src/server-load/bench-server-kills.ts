import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openKeys } from '@keepsake/server'
import { Client } from 'undici'
import { seededRandom } from '../metrics/seeded-random.ts'
import { round } from '../perf/time-calls.ts'
import { KillLedger } from './kill-ledger.ts'
import { KillWriter, replay } from './kill-writer.ts'
import { userOf } from './load-plan.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

export interface ServerKillsOptions {
  /** Default 100. */
  readonly kills?: number
  /** Requests under way at any time. Default 8. */
  readonly writers?: number
  /** People they write for. Default 4, so that two write for one. */
  readonly people?: number
  /** Default 1. */
  readonly seed?: number
  /** Where the files are made; they are removed at the end. Default the system's temporary folder. */
  readonly folder?: string
  readonly onProgress?: (step: string) => void
}

export interface ServerKillsReport {
  readonly benchmark: 'server-kills'
  readonly dataset: 'generated'
  readonly config: Readonly<Record<string, number>>
  readonly runtime: {
    readonly node: string
    readonly platform: string
    readonly arch: string
    readonly load: readonly [before: number, after: number]
  }
  readonly metrics: {
    readonly kills: number
    /** Kills that broke off at least one request. */
    readonly kills_mid_request: number
    readonly cut_off_requests: number
    readonly acknowledged_writes: number
    readonly acknowledged_erasures: number
    /** After any restart, or at the end. */
    readonly lost: number
    readonly doubled: number
    readonly returned: number
    /** Acknowledged writes that were not answered the same when they were sent again at the end. */
    readonly replayed_otherwise: number
    /** Erased turns of which a word stands in any file at the end. */
    readonly erased_in_files: number
    /** The same of turns that are kept: shows that the search finds what is there. */
    readonly kept_in_files: number
    /** Starts after a kill that failed. */
    readonly failed_starts: number
    readonly seconds: number
  }
  /** Answers that no request should have got. */
  readonly refusals: Readonly<Record<string, number>>
}

/** A server is killed so long after the writers began, at random: in the first reading of its files, and well into its work. */
const LONGEST_MS = 400

/**
 * Kills a server (SIGKILL) in the middle of requests again and again, on the same files, and compares what is there with
 * what it had acknowledged: after every restart for one person, at the end for all.
 *
 * @example
 * const { metrics } = await benchServerKills({ kills: 5 })
 * console.log(metrics.lost, metrics.doubled, metrics.returned) // 0 0 0
 */
export async function benchServerKills(options: ServerKillsOptions = {}): Promise<ServerKillsReport> {
  const { kills = 100, writers = 8, people = 4, seed = 1 } = options
  const started = performance.now()
  const before = loadOfMachine()
  const folder = await mkdtemp(join(options.folder ?? tmpdir(), 'keepsake-server-kills-'))
  try {
    const path = join(folder, 'memory.db')
    const run = new KillRun(path, await makeKey(path), { writers, people, seed })
    for (let kill = 1; kill <= kills; kill += 1) {
      options.onProgress?.(`kill ${kill} of ${kills}`)
      await run.liveAndDie(kill)
    }
    options.onProgress?.('looking at what is there')
    const end = await run.lookAtTheEnd()
    const { platform, arch, versions } = process
    return {
      benchmark: 'server-kills',
      dataset: 'generated',
      config: { kills, writers, people, seed },
      runtime: { node: versions.node, platform, arch, load: [before, loadOfMachine()] },
      metrics: {
        kills,
        ...end,
        erased_in_files: await countInFiles(folder, run.ledger.erased),
        kept_in_files: await countInFiles(folder, run.ledger.standing),
        seconds: round((performance.now() - started) / 1_000),
      },
      refusals: run.ledger.refusals,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A server's lives on one set of files. */
class KillRun {
  readonly ledger = new KillLedger()
  readonly #path: string
  readonly #key: string
  readonly #people: number
  readonly #writers: readonly KillWriter[]
  readonly #random: () => number
  readonly #seen = { lost: 0, doubled: 0, returned: 0 }
  #midRequest = 0
  #failedStarts = 0

  constructor(
    path: string,
    key: string,
    { writers, people, seed }: { writers: number; people: number; seed: number },
  ) {
    this.#path = path
    this.#key = key
    this.#people = people
    this.#random = seededRandom(seed + 17)
    this.#writers = Array.from(
      { length: writers },
      (_, number) => new KillWriter(number, { user: userOf(number % people), ledger: this.ledger, seed }),
    )
  }

  /** One life: what the one before left is compared, then the writers write until the kill. */
  async liveAndDie(number: number): Promise<void> {
    const server = await this.#start()
    if (number > 1) await this.#compare(server, userOf(number % this.#people))
    const until = new AbortController()
    const cutOffBefore = this.ledger.cutOff
    const writing = this.#writers.map((writer) => writer.write(server.url, this.#key, until.signal))
    await sleep(this.#random() * LONGEST_MS)
    await server.kill()
    until.abort()
    await Promise.all(writing)
    if (this.ledger.cutOff > cutOffBefore) this.#midRequest += 1
  }

  /** Everything is acknowledged at last, sent once more, and compared. */
  async lookAtTheEnd(): Promise<
    Omit<ServerKillsReport['metrics'], 'kills' | 'erased_in_files' | 'kept_in_files' | 'seconds'>
  > {
    const server = await this.#start()
    const { cutOff } = this.ledger
    await Promise.all(this.#writers.map((writer) => writer.finish(server.url, this.#key)))
    const { kept, erased } = this.ledger
    const otherwise = await this.#replayAll(server)
    await server.settle()
    for (let person = 0; person < this.#people; person += 1) await this.#compare(server, userOf(person))
    await server.stop()
    return {
      kills_mid_request: this.#midRequest,
      cut_off_requests: cutOff,
      acknowledged_writes: kept.length,
      acknowledged_erasures: erased.length,
      ...this.#seen,
      replayed_otherwise: otherwise,
      failed_starts: this.#failedStarts,
    }
  }

  async #start(): Promise<ServerProcess> {
    const request = { path: this.#path, synchronous: 'full' } as const
    try {
      return await startServerProcess(request)
    } catch {
      // Once more, so that the rest of the run is told too; the count is in the report.
      this.#failedStarts += 1
      return startServerProcess(request)
    }
  }

  async #compare({ url }: ServerProcess, user: string): Promise<void> {
    const { lost, doubled, returned } = this.ledger.compare(user, await readTexts(url, this.#key, user))
    this.#seen.lost += lost
    this.#seen.doubled += doubled
    this.#seen.returned += returned
  }

  async #replayAll({ url }: ServerProcess): Promise<number> {
    const client = new Client(url)
    try {
      let otherwise = 0
      for (const write of this.ledger.kept) if (!(await replay(client, this.#key, write))) otherwise += 1
      return otherwise
    } finally {
      await client.close()
    }
  }
}

async function makeKey(path: string): Promise<string> {
  const { keys, close } = await openKeys(path)
  try {
    const actions = ['read', 'write', 'erase'] as const
    return (await keys.create({ name: 'kills', actions, requestsPerMinute: 1_000_000_000 })).key
  } finally {
    await close()
  }
}

/** A person's turns, as the server exports them; none when there is no such person yet. */
async function readTexts(url: string, key: string, user: string): Promise<readonly string[]> {
  const answer = await fetch(`${url}/v1/scopes/${user}/export`, {
    headers: { authorization: `Bearer ${key}` },
  })
  if (answer.status === 404) return []
  if (!answer.ok) throw new Error(`The export of ${user} was answered with ${answer.status}.`)
  const rows = (await answer.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly row: string; readonly text?: string })
  return rows.flatMap(({ row, text }) => (row === 'turn' && text !== undefined ? [text] : []))
}

/** How many texts have left their mark in any file of a folder. */
async function countInFiles(folder: string, texts: readonly string[]): Promise<number> {
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))))
  return texts.filter((text) => {
    const mark = text.split(' ', 1)[0] ?? text
    return files.some((file) => file.includes(mark))
  }).length
}

function loadOfMachine(): number {
  return round(loadavg()[0] ?? 0)
}
