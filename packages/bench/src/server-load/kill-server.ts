import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'undici'
import { ALL, type Figure } from '../log/figure.ts'
import { seededRandom } from '../metrics/seeded-random.ts'
import { round } from '../perf/time-calls.ts'
import { plainFigures } from '../results/plain-figures.ts'
import { KillLedger } from './kill-ledger.ts'
import { KillWriter, replay } from './kill-writer.ts'
import { userOf } from './load-plan.ts'
import { makeKey, ServerProcess } from './server-process.ts'

export interface KillPlan {
  readonly kills: number
  /** Requests under way at any time. */
  readonly writers: number
  /** People they write for: fewer than writers, so that several write for one. */
  readonly people: number
  readonly seed: number
}

/** A server is killed so long after the writers began, at random: in the first reading of its files, and well into its work. */
const LONGEST_MS = 400

/**
 * Kills a server (SIGKILL) in the middle of requests again and again, on the same files, and compares what is there with
 * what it had acknowledged: after every restart for one person, at the end for all.
 *
 * @param folder where its files are, and nothing else
 * @returns figures of which `lost`, `doubled` and `returned` should be 0, and answers that no request should have got
 */
export async function killServer(
  plan: KillPlan,
  folder: string,
  say: (what: string) => void,
): Promise<{ readonly figures: Figure[]; readonly refusals: Readonly<Record<string, number>> }> {
  const { kills } = plan
  const started = performance.now()
  const path = join(folder, 'memory.db')
  const run = new KillRun(path, await makeKey(path, ['read', 'write', 'erase']), plan)
  for (let kill = 1; kill <= kills; kill += 1) {
    say(`kill ${kill} of ${kills}`)
    await run.liveAndDie(kill)
  }
  say('looking at what is there')
  const end = await run.lookAtTheEnd()
  const { erased, standing, refusals } = run.ledger
  const figures = plainFigures('server-kills', ALL, {
    kills,
    ...end,
    // Erased turns of which a word stands in any file; and kept ones, which shows that the search finds what is there.
    erased_in_files: await countInFiles(folder, erased),
    kept_in_files: await countInFiles(folder, standing),
    refused: Object.values(refusals).reduce((sum, count) => sum + count, 0),
    ran_ms: round(performance.now() - started),
  })
  return { figures, refusals }
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

  constructor(path: string, key: string, { writers, people, seed }: KillPlan) {
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
  async lookAtTheEnd(): Promise<Record<string, number>> {
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
      return await ServerProcess.start(request)
    } catch {
      // Once more, so that the rest of the run is told too; the count is in the figures.
      this.#failedStarts += 1
      return ServerProcess.start(request)
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
