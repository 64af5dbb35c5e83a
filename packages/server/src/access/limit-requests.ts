// Limits the requests of a key: per minute, at the same time, and to an upstream per day.
import type { MiddlewareHandler } from 'hono'
import type { Records } from 'keepsake/store'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Problem } from '../problem.ts'
import { asksModel, isImport } from '../protocols.ts'
import type { ServerEnv } from '../server-context.ts'
import type { Grant } from './grant.ts'

/** The state of a limit after a request. */
export interface Allowance {
  readonly isAllowed: boolean
  /** Requests, or bytes, in a window. */
  readonly limit: number
  readonly remaining: number
  /** Seconds until the next window begins. */
  readonly reset: number
}

const WINDOW_SECONDS = 60

/** Counts requests or bytes a minute by name, each name with its own limit. */
export interface RequestCounter {
  /** @param count Default: 1 */
  take(name: string, limit: number, count?: number): Promise<Allowance>
}

/** Counts in this process's memory. */
export class RequestLimits implements RequestCounter {
  /** Counts only; each name is compared with its own limit below. */
  readonly #counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS })

  async take(name: string, limit: number, count = 1): Promise<Allowance> {
    const { consumedPoints: taken, msBeforeNext } = await this.#counter.consume(name, count)
    return {
      isAllowed: taken <= limit,
      limit,
      remaining: Math.max(0, limit - taken),
      reset: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
    }
  }
}

/** Limits a key's concurrent requests, without those that wait for a model or stream a file. @throws Problem 429 */
export function limitConcurrency(maxPerKey: number): MiddlewareHandler<ServerEnv> {
  const running = new ConcurrentCounts()
  return async (c, next) => {
    if (asksModel(c.get('protocol')) || c.req.path.endsWith('/reply') || isImport(c.req)) return next()
    const { id } = c.get('grant')
    if (running.countOf(id) >= maxPerKey) {
      const detail = `This key has ${maxPerKey} running requests. Wait for an answer before you send more.`
      throw new Problem(429, 'too-many-at-once', detail, { retryAfter: 1 })
    }
    const release = running.add(id)
    await next().finally(release)
  }
}

/** Counts the work that is in progress, by key. */
export class ConcurrentCounts {
  readonly #counts = new Map<string, number>()

  /** The number of all keys together. */
  get total(): number {
    return this.#counts.values().reduce((sum, count) => sum + count, 0)
  }

  countOf(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** Counts the start of one piece of work. @returns a function that counts its end, to be called once */
  add(key: string): () => void {
    this.#counts.set(key, this.countOf(key) + 1)
    return () => {
      const left = this.countOf(key) - 1
      if (left === 0) this.#counts.delete(key)
      else this.#counts.set(key, left)
    }
  }
}

/** A part of a limit that this process has taken for one window. */
interface Lease {
  readonly window: number
  /** Amount taken by all processes, as last read. */
  taken: number
  /** Amount that this process has not used yet. */
  left: number
  renewing: Promise<void> | null
}

const COLLECTION = 'request-counts'
const WINDOW_MS = 60_000
/** A process takes a hundredth of a limit at a time: a busy key costs one write per hundredth of its requests. */
const LEASES_PER_LIMIT = 100
/** Leases in memory before all are dropped, most of them of past windows. */
const MAX_LEASES = 10_000

/** Counts requests a minute for all processes of a store. Each takes hundredths of the limit, which is never exceeded. */
export class SharedLimits implements RequestCounter {
  readonly #records: Records
  readonly #now: () => number
  readonly #report: (error: unknown) => void
  readonly #leases = new Map<string, Lease>()

  constructor(
    records: Records,
    {
      now = Date.now,
      report = () => undefined,
    }: { now?: () => number; report?: (error: unknown) => void } = {},
  ) {
    this.#records = records
    this.#now = now
    this.#report = report
  }

  async take(name: string, limit: number, count = 1): Promise<Allowance> {
    const now = this.#now()
    const lease = this.#leaseOf(name, Math.floor(now / WINDOW_MS))
    while (lease.left < count && lease.taken < limit) {
      lease.renewing ??= this.#renew(name, lease, { limit, count })
      await lease.renewing
    }
    const isAllowed = lease.left >= count
    if (isAllowed) lease.left -= count
    return {
      isAllowed,
      limit,
      remaining: Math.max(0, limit - lease.taken) + lease.left,
      reset: Math.max(1, Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1_000)),
    }
  }

  #leaseOf(name: string, window: number): Lease {
    const known = this.#leases.get(name)
    if (known?.window === window) return known
    if (this.#leases.size > MAX_LEASES) this.#leases.clear()
    const lease: Lease = { window, taken: 0, left: 0, renewing: null }
    this.#leases.set(name, lease)
    return lease
  }

  async #renew(
    name: string,
    lease: Lease,
    { limit, count }: { readonly limit: number; readonly count: number },
  ): Promise<void> {
    const portion = Math.max(count - lease.left, Math.floor(limit / LEASES_PER_LIMIT), 1)
    try {
      await this.#takeFromStore(`${name}/${lease.window}`, lease, { portion, limit })
    } catch (error) {
      // A full disk must not block all requests, so the process then counts alone.
      this.#report(error)
      const ownPortion = Math.min(portion, limit - lease.taken)
      lease.left += ownPortion
      lease.taken += ownPortion
    } finally {
      lease.renewing = null
    }
  }

  async #takeFromStore(
    key: string,
    lease: Lease,
    { portion, limit }: { readonly portion: number; readonly limit: number },
  ): Promise<void> {
    for (;;) {
      const found = await this.#records.getRecord(COLLECTION, key)
      const takenBefore = Number(found?.value['taken'] ?? 0)
      const grantedPortion = Math.max(0, Math.min(portion, limit - takenBefore))
      const taken = takenBefore + grantedPortion
      const record = {
        collection: COLLECTION,
        key,
        value: { taken },
        lastsMs: 2 * WINDOW_MS,
        isDerived: true,
      }
      const expect = found?.version ?? null
      const isStored = grantedPortion === 0 || (await this.#records.putRecord({ ...record, expect })) !== null
      // Another process has changed the count meanwhile.
      if (!isStored) continue
      lease.left += grantedPortion
      lease.taken = taken
      return
    }
  }
}

const UPSTREAM_CALLS = 'upstream-calls'
const DAY_MS = 24 * 60 * 60 * 1_000

interface UpstreamCalls {
  readonly calls: number
}

/** Counts upstream calls a day by key for all processes of a memory, since the server's own key pays for them. */
export class UpstreamBudget {
  readonly #records: Records
  readonly #perDay: number | null
  readonly #now: () => number

  /** @param options `perDay`: for keys without a limit of their own; `null`: unlimited */
  constructor(
    records: Records,
    { perDay, now = Date.now }: { readonly perDay: number | null; readonly now?: () => number },
  ) {
    this.#records = records
    this.#perDay = perDay
    this.#now = now
  }

  /** Counts one more call. @throws Problem 429 `upstream-budget` */
  async take({ id, upstreamPerDay }: Grant): Promise<void> {
    const limit = upstreamPerDay ?? this.#perDay
    if (limit === null) return
    const day = Math.floor(this.#now() / DAY_MS)
    const key = `${id}/${day}`
    for (;;) {
      const known = await this.#records.getRecord(UPSTREAM_CALLS, key)
      const calls = known === null ? 0 : (known.value as unknown as UpstreamCalls).calls
      if (calls >= limit) throw budgetProblem(limit, Math.ceil(((day + 1) * DAY_MS - this.#now()) / 1_000))
      const value = { calls: calls + 1 } satisfies UpstreamCalls
      const expect = known?.version ?? null
      const record = { collection: UPSTREAM_CALLS, key, value, expect, lastsMs: 2 * DAY_MS, isDerived: true }
      if ((await this.#records.putRecord(record)) !== null) return
    }
  }
}

function budgetProblem(limit: number, seconds: number): Problem {
  const detail = `This key has used its ${limit} upstream calls of the day (UTC). Nothing was sent.`
  return new Problem(429, 'upstream-budget', detail, { retryAfter: seconds })
}
