import { randomBytes } from 'node:crypto'
import type { ScopeKey } from 'keepsake'
import type { Grant } from './access.ts'

/** Long enough for a browser to begin a download. */
const LASTS_MS = 60_000
/** Tickets that were not used; the oldest go first. */
const MOST = 1_000

interface Ticket {
  readonly grant: Grant
  readonly until: number
}

/**
 * Lets a browser download one thing once, by an address: a link can carry no key, and a key must stand in no address. What a ticket opens is
 * less than its key does: one person, to be read, by one request within a minute.
 */
export class DownloadTickets {
  readonly #tickets = new Map<string, Ticket>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** @returns the ticket, and until when it may be used, in milliseconds since 1970 */
  issue(
    grant: Grant,
    { tenant = 'default', user }: ScopeKey,
  ): { readonly ticket: string; readonly until: number } {
    this.#clear()
    const ticket = `kt_${randomBytes(32).toString('base64url')}`
    const until = this.#now() + LASTS_MS
    const narrowed = { ...grant, tenants: [tenant], users: [user], actions: ['read'] as const }
    this.#tickets.set(ticket, { grant: narrowed, until })
    return { ticket, until }
  }

  /** What a ticket opens, which it does once; `null` for one that is not known, was used, or is over. */
  take(ticket: string): Grant | null {
    const found = this.#tickets.get(ticket)
    this.#tickets.delete(ticket)
    return found === undefined || found.until < this.#now() ? null : found.grant
  }

  #clear(): void {
    const now = this.#now()
    for (const [ticket, { until }] of this.#tickets)
      if (until < now || this.#tickets.size >= MOST) this.#tickets.delete(ticket)
      else break
  }
}
