import type { Records } from 'keepsake'
import { Problem } from '../problem.ts'
import type { Grant } from './access.ts'

const COLLECTION = 'upstream-calls'
const DAY_MS = 24 * 60 * 60 * 1_000

/** What a key has asked of the upstream on a day. */
interface Spent {
  readonly calls: number
}

/**
 * Counts a day's calls of the upstream by key, for all processes on a memory: they are paid for with the server's own key.
 *
 * @example
 * await new UpstreamBudget(keepsake.records, { perDay: 1_000 }).take(grant)
 */
export class UpstreamBudget {
  readonly #records: Records
  readonly #perDay: number | null
  readonly #now: () => number

  /** @param options `perDay`: for keys that say nothing of their own; `null`: as many as they like */
  constructor(
    records: Records,
    { perDay, now = Date.now }: { readonly perDay: number | null; readonly now?: () => number },
  ) {
    this.#records = records
    this.#perDay = perDay
    this.#now = now
  }

  /** Counts one call more. @throws Problem 429 `upstream-budget` */
  async take({ id, upstreamPerDay }: Grant): Promise<void> {
    const limit = upstreamPerDay ?? this.#perDay
    if (limit === null) return
    const day = Math.floor(this.#now() / DAY_MS)
    const key = `${id}/${day}`
    for (;;) {
      const known = await this.#records.record(COLLECTION, key)
      const calls = known === null ? 0 : (known.value as unknown as Spent).calls
      if (calls >= limit) throw spent(limit, Math.ceil(((day + 1) * DAY_MS - this.#now()) / 1_000))
      const value = { calls: calls + 1 } satisfies Spent
      const expect = known?.version ?? null
      const record = { collection: COLLECTION, key, value, expect, lastsMs: 2 * DAY_MS, flush: false }
      if ((await this.#records.putRecord(record)) !== null) return
    }
  }
}

function spent(limit: number, seconds: number): Problem {
  const detail = `This key may ask the upstream ${limit} times a day (UTC), and has. Nothing was sent.`
  return new Problem(429, 'upstream-budget', detail, { retryAfter: seconds })
}
