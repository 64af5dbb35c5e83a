import { NotFoundError, type Change, type ChangeMark, type Keepsake } from 'keepsake'
import type { StoredRecord } from 'keepsake/store'

/** The delivery position of a webhook in a user's changes, and the failures of the next one. */
export interface WebhookPlace {
  readonly webhook: string
  readonly owner: number
  readonly mark: ChangeMark
  readonly attempts: number
  /** Next attempt, milliseconds since 1970. */
  readonly nextAt: number
}

export interface WebhookHealth {
  readonly failures: number
  readonly failingSince: number
  /** No messages are tried until then. */
  readonly pausedUntil: number
}

/** A dead letter. It names the event and holds no contents: a replay reads them again. */
export interface FailedMessage {
  readonly id: string
  readonly event: Change['event']
  /** Times of the event, and of giving up. */
  readonly at: number
  readonly failedAt: number
  readonly attempts: number
  /** The receiver's last status; `null`: no answer. */
  readonly status: number | null
  readonly reason: string
}

/** A stored dead letter: its owner and position. */
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
 * Delivery state in the store's records: numbers and times, no texts or names. Positions belong to no user, so that they outlive the user
 * whose erasure they deliver.
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

  /** Users with waiting changes, page by page. */
  async *waiting(webhook: string): AsyncGenerator<Waiting> {
    for await (const { key, value, version } of this.#all(WAITING, webhook))
      yield { owner: ownerOf(key), nextAt: Number(value['nextAt']), version }
  }

  /** Clears the mark, unless a new change came since it was read. */
  async done(webhook: string, { owner, version }: Waiting): Promise<void> {
    await this.#keepsake.records.removeRecord(WAITING, `${webhook}/${owner}`, version)
  }

  async health(webhook: string): Promise<WebhookHealth | null> {
    const found = await this.#keepsake.records.getRecord(HEALTH, webhook)
    return found === null ? null : (found.value as unknown as WebhookHealth)
  }

  /** @param health `null`: healthy */
  async putHealth(webhook: string, health: WebhookHealth | null): Promise<void> {
    if (health === null) await this.#keepsake.records.removeRecord(HEALTH, webhook)
    else await this.#put(HEALTH, webhook, { ...health })
  }

  /** Stores a dead letter. It is erased with its user; one about an erasure belongs to none. */
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
      // Erased meanwhile: nothing is left to deliver.
      if (!(error instanceof NotFoundError)) throw error
    }
  }

  /** Dead letters in order, at most `limit` after one. */
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

  /** Deletes all state of a webhook. */
  async clear(webhook: string): Promise<void> {
    await this.#keepsake.records.removeRecord(HEALTH, webhook)
    for (const collection of [WAITING, FAILED, PLACES])
      for await (const { key } of this.#all(collection, webhook))
        await this.#keepsake.records.removeRecord(collection, key)
  }

  /** Surviving a kill is enough: after a power failure a message may be repeated. */
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
