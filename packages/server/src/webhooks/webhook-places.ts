import { NotFoundError, type Change, type ChangeMark, type Keepsake } from 'keepsake'
import type { StoredRecord } from 'keepsake/store'

/** The position of a webhook in a user's changes, and the attempts to deliver the next change. */
export interface WebhookPosition {
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
  /** Deliveries are paused until then. */
  readonly pausedUntil: number
}

/** A dead letter. It has no content of the event: a replay reads the content again. */
export interface FailedMessage {
  readonly id: string
  readonly event: Change['event']
  /** Time of the event. */
  readonly at: number
  /** Time of the last attempt. */
  readonly failedAt: number
  readonly attempts: number
  /** The receiver's last status; `null`: no answer. */
  readonly status: number | null
  readonly reason: string
}

/** A dead letter with its user and position, as stored. */
export interface StoredFailure extends FailedMessage {
  readonly owner: number
  /** The position before the change. */
  readonly before: ChangeMark
  /** The id of the change. */
  readonly change: string
}

/** A user whose changes wait for delivery. */
export interface WaitingUser {
  readonly owner: number
  readonly nextAt: number
  readonly version: string
}

const POSITIONS = 'webhook-places'
const WAITING = 'webhook-waiting'
const HEALTH = 'webhook-health'
const FAILED = 'webhook-failed'
const PAGE_SIZE = 500

/** Stores the state of deliveries as numbers and times. A position belongs to no user, so it remains until the user's erasure is delivered. */
export class WebhookPlaces {
  readonly #keepsake: Keepsake

  constructor(keepsake: Keepsake) {
    this.#keepsake = keepsake
  }

  /** Finds a webhook's position in a user's changes; `null` where nothing was delivered. */
  async place(webhook: string, owner: number): Promise<WebhookPosition | null> {
    const record = await this.#keepsake.records.getRecord(POSITIONS, `${webhook}/${owner}`)
    return record === null ? null : readPosition(record)
  }

  async put({ webhook, owner, mark, attempts, nextAt }: WebhookPosition): Promise<void> {
    const value = { mark: { ...mark, turns: { ...mark.turns } }, attempts, nextAt }
    await this.#put(POSITIONS, `${webhook}/${owner}`, value)
  }

  /** Reads all positions of a webhook, page by page. */
  async *places(webhook: string): AsyncGenerator<WebhookPosition> {
    for await (const record of this.#all(POSITIONS, webhook)) yield readPosition(record)
  }

  async forget(webhook: string, owner: number): Promise<void> {
    await this.#keepsake.records.removeRecord(POSITIONS, `${webhook}/${owner}`)
  }

  /** Records that changes of a user wait for delivery to a webhook. */
  async wait(webhook: string, owner: number, nextAt = 0): Promise<void> {
    await this.#put(WAITING, `${webhook}/${owner}`, { nextAt })
  }

  /** Reads the users with waiting changes, page by page. */
  async *waiting(webhook: string): AsyncGenerator<WaitingUser> {
    for await (const { key, value, version } of this.#all(WAITING, webhook))
      yield { owner: ownerOf(key), nextAt: Number(value['nextAt']), version }
  }

  /** Removes the record that a user's changes wait, unless it was written again since it was read. */
  async done(webhook: string, { owner, version }: WaitingUser): Promise<void> {
    await this.#keepsake.records.removeRecord(WAITING, `${webhook}/${owner}`, version)
  }

  async health(webhook: string): Promise<WebhookHealth | null> {
    const record = await this.#keepsake.records.getRecord(HEALTH, webhook)
    return record === null ? null : (record.value as unknown as WebhookHealth)
  }

  /** @param health `null`: healthy */
  async putHealth(webhook: string, health: WebhookHealth | null): Promise<void> {
    if (health === null) await this.#keepsake.records.removeRecord(HEALTH, webhook)
    else await this.#put(HEALTH, webhook, { ...health })
  }

  /** Stores a dead letter. It is erased with its user, except one about an erasure. */
  async fail(webhook: string, { owner, before, ...failure }: StoredFailure): Promise<void> {
    const key = `${webhook}/${failure.id}`
    const value = { ...failure, owner, before: { ...before, turns: { ...before.turns } } }
    const record = { collection: FAILED, key, value, isDerived: true }
    try {
      await this.#keepsake.records.putRecord({
        ...record,
        owner: failure.event === 'scope-erased' ? null : owner,
      })
    } catch (error) {
      // The user was erased meanwhile, so nothing is left to deliver.
      if (!(error instanceof NotFoundError)) throw error
    }
  }

  /** Lists dead letters in order. */
  async failed(webhook: string, after: string | undefined, limit: number): Promise<readonly StoredFailure[]> {
    const prefix = `${webhook}/`
    const start = after === undefined ? {} : { after: `${prefix}${after}` }
    const records = await this.#keepsake.records.listRecords({ collection: FAILED, prefix, limit, ...start })
    return records.map(({ value }) => value as unknown as StoredFailure)
  }

  async failure(webhook: string, id: string): Promise<StoredFailure | null> {
    const record = await this.#keepsake.records.getRecord(FAILED, `${webhook}/${id}`)
    return record === null ? null : (record.value as unknown as StoredFailure)
  }

  async dropFailure(webhook: string, id: string): Promise<boolean> {
    return this.#keepsake.records.removeRecord(FAILED, `${webhook}/${id}`)
  }

  /** Removes everything stored about a webhook. */
  async clear(webhook: string): Promise<void> {
    await this.#keepsake.records.removeRecord(HEALTH, webhook)
    for (const collection of [WAITING, FAILED, POSITIONS])
      for await (const { key } of this.#all(collection, webhook))
        await this.#keepsake.records.removeRecord(collection, key)
  }

  /** Stores a record without a flush to disk. After a power failure a message may be repeated. */
  async #put(collection: string, key: string, value: StoredRecord['value']): Promise<void> {
    await this.#keepsake.records.putRecord({ collection, key, value, isDerived: true })
  }

  async *#all(collection: string, webhook: string): AsyncGenerator<StoredRecord> {
    const prefix = `${webhook}/`
    for (let after: string | undefined; ;) {
      const start = after === undefined ? {} : { after }
      const page = await this.#keepsake.records.listRecords({
        collection,
        prefix,
        limit: PAGE_SIZE,
        ...start,
      })
      yield* page
      after = page.at(-1)?.key
      if (page.length < PAGE_SIZE) return
    }
  }
}

function readPosition({ key, value }: StoredRecord): WebhookPosition {
  const { mark, attempts, nextAt } = value as unknown as Omit<WebhookPosition, 'webhook' | 'owner'>
  return { webhook: key.slice(0, key.indexOf('/')), owner: ownerOf(key), mark, attempts, nextAt }
}

function ownerOf(key: string): number {
  return Number(key.slice(key.indexOf('/') + 1))
}
