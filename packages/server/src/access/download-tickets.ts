// Issues tickets with which a browser downloads a file without a key.
import { createHash, randomBytes } from 'node:crypto'
import { NotFoundError, type Keepsake, type Metadata, type ScopeKey } from 'keepsake'
import type { Grant } from './grant.ts'

/** Time for a browser to start the download. */
const VALIDITY_MS = 60_000
const COLLECTION = 'download-tickets'

/** Tickets for downloads by link, since addresses must not hold keys: one request within a minute to read one user. */
export class DownloadTickets {
  readonly #keepsake: Keepsake
  readonly #now: () => number

  constructor(keepsake: Keepsake, now: () => number) {
    this.#keepsake = keepsake
    this.#now = now
  }

  /** @returns the ticket, and its expiry in milliseconds since 1970 @throws NotFoundError for a user without memories */
  async issue(
    grant: Grant,
    { tenant = 'default', user }: ScopeKey,
  ): Promise<{ readonly ticket: string; readonly until: number }> {
    const [row] = await this.#keepsake.scopes({ tenant, user, limit: 1 })
    if (row === undefined) throw new NotFoundError('scope', user)
    const ticket = `kt_${randomBytes(32).toString('base64url')}`
    const until = this.#now() + VALIDITY_MS
    const ticketGrant: Grant = { ...grant, tenants: [tenant], users: [user], actions: ['read'] }
    const value = { grant: ticketGrant, until } as unknown as Metadata
    // The record names the user, so it belongs to them and is erased with them.
    const record = { collection: COLLECTION, key: hashOf(ticket), value, owner: row.owner }
    await this.#keepsake.records.putRecord({ ...record, lastsMs: VALIDITY_MS, isDerived: true })
    return { ticket, until }
  }

  /** Consumes a ticket. @returns its grant; `null` when unknown, used or expired */
  async take(ticket: string): Promise<Grant | null> {
    const { records } = this.#keepsake
    const record = await records.getRecord(COLLECTION, hashOf(ticket))
    if (record === null || !(await records.removeRecord(COLLECTION, record.key, record.version))) return null
    const { grant, until } = record.value as unknown as { readonly grant: Grant; readonly until: number }
    return until < this.#now() ? null : grant
  }
}

function hashOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex')
}
