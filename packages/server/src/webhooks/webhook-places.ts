import { NotFoundError, type Change, type ChangeMark, type Keepsake, type StoredRecord } from 'keepsake'

/** How far changes of a user were delivered to a webhook, and how often the next one failed. */
export interface WebhookPlace {
  readonly webhook: string
  readonly owner: number
  readonly mark: ChangeMark
  readonly attempts: number
  /** When it is to be tried again, milliseconds since 1970. */
  readonly nextAt: number
}

/** How a webhook's receiver does. */
export interface WebhookHealth {
  /** Failures one after another. */
  readonly failures: number
  readonly failingSince: number
  /** Until when no messages are tried. */
  readonly pausedUntil: number
}

/** A message that was given up. It names what happened and holds nothing of it: replayed, it is read again. */
export interface FailedMessage {
  readonly id: string
  readonly event: Change['event']
  /** When it happened, and when it was given up. */
  readonly at: number
  readonly failedAt: number
  readonly attempts: number
  /** What the receiver answered; `null` when it answered nothing. */
  readonly status: number | null
  readonly reason: string
}

/** One of them as it is kept: whose it is, and where it stands. */
export interface KeptFailure extends FailedMessage {
  readonly owner: number
  readonly before: ChangeMark
  readonly change: string
}

/** A user whose changes wait for delivery. */
export interface Waiting {
  readonly owner: number
  readonly nextAt: number
  readonly version: string
}

const PLACES = 'webhook-places'
const WAITING = 'webhook-waiting'
const HEALTH = 'webhook-health'
const FAILED = 'webhook-failed'
const PAGE = 500

/**
 * What delivering keeps in the store's records: numbers and times, none of a person's words or names. Places are nobody's, so that
 * they outlive a person by whose erasure they are told.
 */
export class WebhookPlaces {
  readonly #keepsake: Keepsake

  constructor(keepsake: Keepsake) {
    this.#keepsake = keepsake
  }

  /** Finds a webhook's position in a user's changes; `null` where nothing was delivered. */
  async place(webhook: string, owner: number): Promise<WebhookPlace | null> {
    const found = await this.#keepsake.records.getRecord(PLACES, `${webhook}/${owner}`)
    return found === null ? null : asPlace(found)
  }

  async put({ webhook, owner, mark, attempts, nextAt }: WebhookPlace): Promise<void> {
    const value = { mark: { ...mark, turns: { ...mark.turns } }, attempts, nextAt }
    await this.#put(PLACES, `${webhook}/${owner}`, value)
  }

  /** All of a webhook's places, page by page. */
  async *places(webhook: string): AsyncGenerator<WebhookPlace> {
    for await (const record of this.#all(PLACES, webhook)) yield asPlace(record)
  }

  async forget(webhook: string, owner: number): Promise<void> {
    await this.#keepsake.records.removeRecord(PLACES, `${webhook}/${owner}`)
  }

  /** Marks that a user's changes wait for a webhook. */
  async wait(webhook: string, owner: number, nextAt = 0): Promise<void> {
    await this.#put(WAITING, `${webhook}/${owner}`, { nextAt })
  }

  /** People of whom something waits, page by page. */
  async *waiting(webhook: string): AsyncGenerator<Waiting> {
    for await (const { key, value, version } of this.#all(WAITING, webhook))
      yield { owner: ownerOf(key), nextAt: Number(value['nextAt']), version }
  }

  /** Says that nothing waits any more, unless something came since that was looked at. */
  async done(webhook: string, { owner, version }: Waiting): Promise<void> {
    await this.#keepsake.records.removeRecord(WAITING, `${webhook}/${owner}`, version)
  }

  async health(webhook: string): Promise<WebhookHealth | null> {
    const found = await this.#keepsake.records.getRecord(HEALTH, webhook)
    return found === null ? null : (found.value as unknown as WebhookHealth)
  }

  /** @param health `null`: it does well */
  async putHealth(webhook: string, health: WebhookHealth | null): Promise<void> {
    if (health === null) await this.#keepsake.records.removeRecord(HEALTH, webhook)
    else await this.#put(HEALTH, webhook, { ...health })
  }

  /** Keeps what was given up. It goes with its person; an erasure itself is nobody's any more. */
  async fail(webhook: string, { owner, before, ...failure }: KeptFailure): Promise<void> {
    const key = `${webhook}/${failure.id}`
    const value = { ...failure, owner, before: { ...before, turns: { ...before.turns } } }
    const record = { collection: FAILED, key, value, isDerived: true }
    try {
      await this.#keepsake.records.putRecord({
        ...record,
        owner: failure.event === 'scope-erased' ? null : owner,
      })
    } catch (error) {
      // Erased meanwhile: nothing of it is left to be told.
      if (!(error instanceof NotFoundError)) throw error
    }
  }

  /** What was given up, in the order in which it was, as many as are asked for behind one. */
  async failed(webhook: string, after: string | undefined, limit: number): Promise<readonly KeptFailure[]> {
    const prefix = `${webhook}/`
    const behind = after === undefined ? {} : { after: `${prefix}${after}` }
    const records = await this.#keepsake.records.listRecords({ collection: FAILED, prefix, limit, ...behind })
    return records.map(({ value }) => value as unknown as KeptFailure)
  }

  async failure(webhook: string, id: string): Promise<KeptFailure | null> {
    const found = await this.#keepsake.records.getRecord(FAILED, `${webhook}/${id}`)
    return found === null ? null : (found.value as unknown as KeptFailure)
  }

  async dropFailure(webhook: string, id: string): Promise<boolean> {
    return this.#keepsake.records.removeRecord(FAILED, `${webhook}/${id}`)
  }

  /** Forgets all that is kept for a webhook. */
  async clear(webhook: string): Promise<void> {
    await this.#keepsake.records.removeRecord(HEALTH, webhook)
    for (const collection of [WAITING, FAILED, PLACES])
      for await (const { key } of this.#all(collection, webhook))
        await this.#keepsake.records.removeRecord(collection, key)
  }

  /** What survives a kill is enough: after a failure of power a message may come twice. */
  async #put(collection: string, key: string, value: StoredRecord['value']): Promise<void> {
    await this.#keepsake.records.putRecord({ collection, key, value, isDerived: true })
  }

  async *#all(collection: string, webhook: string): AsyncGenerator<StoredRecord> {
    const prefix = `${webhook}/`
    for (let after: string | undefined; ;) {
      const behind = after === undefined ? {} : { after }
      const page = await this.#keepsake.records.listRecords({ collection, prefix, limit: PAGE, ...behind })
      yield* page
      after = page.at(-1)?.key
      if (page.length < PAGE) return
    }
  }
}

function asPlace({ key, value }: StoredRecord): WebhookPlace {
  const { mark, attempts, nextAt } = value as unknown as Omit<WebhookPlace, 'webhook' | 'owner'>
  return { webhook: key.slice(0, key.indexOf('/')), owner: ownerOf(key), mark, attempts, nextAt }
}

function ownerOf(key: string): number {
  return Number(key.slice(key.indexOf('/') + 1))
}
