import type { Records } from 'keepsake'
import type { Allowance, RequestCounter } from './limit-requests.ts'

/** What this process may still use of a limit in a window. */
interface Lease {
  readonly window: number
  /** Taken in all, by every process, when this one last looked. */
  taken: number
  /** Of those, what this process has not used yet. */
  left: number
  renewing: Promise<void> | null
}

const COLLECTION = 'request-counts'
const WINDOW_MS = 60_000
/** A process takes so much of a limit at a time: a busy key costs a write for every hundredth of its requests. */
const LEASES = 100
/** Names whose windows may be over. */
const MANY = 10_000

/**
 * Counts requests a minute, by name, over all processes that share a store. Each takes a hundredth of the limit at a time from the
 * store and gives it out by itself. Never more than the limit is given out; of P processes, up to P hundredths may go unused.
 *
 * A limit below a hundred is counted request by request. Where the store cannot be written to, each process counts alone.
 */
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
    if (this.#leases.size > MANY) this.#leases.clear()
    const lease: Lease = { window, taken: 0, left: 0, renewing: null }
    this.#leases.set(name, lease)
    return lease
  }

  async #renew(
    name: string,
    lease: Lease,
    { limit, count }: { readonly limit: number; readonly count: number },
  ): Promise<void> {
    const portion = Math.max(count - lease.left, Math.floor(limit / LEASES), 1)
    try {
      await this.#takeFromStore(`${name}/${lease.window}`, lease, { portion, limit })
    } catch (error) {
      // A full disk must not lock everybody out.
      this.#report(error)
      const own = Math.min(portion, limit - lease.taken)
      lease.left += own
      lease.taken += own
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
      const found = await this.#records.record(COLLECTION, key)
      const before = Number(found?.value['taken'] ?? 0)
      const left = Math.max(0, Math.min(portion, limit - before))
      const taken = before + left
      const record = { collection: COLLECTION, key, value: { taken }, lastsMs: 2 * WINDOW_MS, flush: false }
      const isTaken =
        left === 0 || (await this.#records.putRecord({ ...record, expect: found?.version ?? null })) !== null
      if (!isTaken) continue
      lease.left += left
      lease.taken = taken
      return
    }
  }
}
