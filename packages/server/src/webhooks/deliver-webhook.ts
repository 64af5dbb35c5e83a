import { FIRST_MARK, type Change, type ChangeMark, type Keepsake } from 'keepsake'
import { makeMessage } from './make-message.ts'
import type { Message, Sent } from './send-message.ts'
import { wants, type Webhook } from './webhook.ts'
import type { WebhookHealth, WebhookPlace, WebhookPlaces } from './webhook-places.ts'
import type { WebhookStore } from './webhook-store.ts'

/** When what failed is tried again, and when it is given up. */
export interface RetryOptions {
  /** Milliseconds until each further try of a message; after the last it is given up. */
  readonly retryMs: readonly number[]
  /** How long a receiver may fail, without taking a single message, before it is disabled. */
  readonly disableAfterMs: number
}

export interface DeliveryParts extends RetryOptions {
  readonly keepsake: Keepsake
  readonly store: WebhookStore
  readonly places: WebhookPlaces
  readonly send: (webhook: Webhook, message: Message) => Promise<Sent>
  readonly now: () => number
}

/** After so many failures in a row the receiver is down, and nobody else's messages are tried until one gets through. */
const DOWN_AFTER = 3
const LONGEST_PAUSE_MS = 15 * 60 * 1_000
const FIRST_PAUSE_MS = 5_000
/** Read of a person at a time. */
const BATCH = 100

/** What delivering to a person came to. `stopped`: nothing more goes to this webhook for now. */
type Delivered = 'all' | 'later' | 'stopped'

/**
 * Delivers to one webhook what waits for it: message by message, of each person in the order in which it happened. Whoever calls it sees
 * to it that nobody else does at the same time.
 */
export class WebhookDelivery {
  readonly #parts: DeliveryParts
  readonly #webhook: Webhook
  readonly #goesOn: () => boolean
  #health: WebhookHealth | null = null

  /** @param goesOn asked before each message: whether the caller still has the webhook to itself */
  constructor(parts: DeliveryParts, webhook: Webhook, goesOn: () => boolean) {
    this.#parts = parts
    this.#webhook = webhook
    this.#goesOn = goesOn
  }

  /** @returns when it has told what is due, or cannot go on. */
  async run(): Promise<void> {
    const { places, now } = this.#parts
    const { id } = this.#webhook
    this.#health = await places.health(id)
    if (this.#isPaused()) return
    for await (const waiting of places.waiting(id)) {
      if (waiting.nextAt > now()) continue
      const delivered = await this.#tellOf(waiting.owner)
      if (delivered === 'all') await places.done(id, waiting)
      if (delivered === 'stopped' || this.#isPaused()) return
    }
  }

  /** Sends again what was given up. @returns what came of it; `null` when nothing of it is left to be told */
  async replay(failure: { readonly owner: number; readonly before: ChangeMark; readonly change: string }) {
    const { keepsake, send } = this.#parts
    const { changes } = await keepsake.changes(failure.owner, { ...failure.before, revision: -1 }, 2)
    const change = changes.find(({ id }) => id === failure.change)
    return change === undefined
      ? null
      : send(this.#webhook, makeMessage(this.#webhook, failure.owner, change))
  }

  #isPaused(): boolean {
    return this.#health !== null && this.#health.pausedUntil > this.#parts.now()
  }

  async #tellOf(owner: number): Promise<Delivered> {
    const { keepsake, places } = this.#parts
    const { id } = this.#webhook
    const known = await places.place(id, owner)
    let place = known ?? { webhook: id, owner, mark: FIRST_MARK, attempts: 0, nextAt: 0 }
    for (;;) {
      const { person, changes, mark } = await keepsake.changes(owner, place.mark, BATCH)
      for (const change of changes) {
        if (!this.#goesOn()) return 'stopped'
        const told = await this.#tell(place, change)
        if (told !== 'told') return told
        place = { webhook: id, owner, mark: change.mark, attempts: 0, nextAt: 0 }
      }
      if (person === null) return this.#farewell(owner)
      const isMoved = mark.revision !== place.mark.revision || changes.length > 0
      if (isMoved) await places.put({ ...place, mark })
      place = { ...place, mark }
      if (changes.length === 0) return 'all'
    }
  }

  /** The person was erased and that was told: nothing will ever happen to them again. */
  async #farewell(owner: number): Promise<Delivered> {
    await this.#parts.places.forget(this.#webhook.id, owner)
    return 'all'
  }

  async #tell(place: WebhookPlace, change: Change): Promise<'told' | 'later' | 'stopped'> {
    const { send, places } = this.#parts
    if (!wants(this.#webhook, change)) return 'told'
    const message = makeMessage(this.#webhook, place.owner, change)
    const sent = await send(this.#webhook, message)
    // Nobody knows what became of it: it goes once more.
    if (!this.#goesOn()) return 'stopped'
    if (sent.outcome !== 'delivered') return this.#failed(place, change, sent)
    await this.#noteSuccess()
    await places.put({ ...place, mark: change.mark, attempts: 0, nextAt: 0 })
    return 'told'
  }

  async #failed(
    place: WebhookPlace,
    change: Change,
    sent: Exclude<Sent, { outcome: 'delivered' }>,
  ): Promise<'told' | 'later' | 'stopped'> {
    const { places, store, retryMs, disableAfterMs, now } = this.#parts
    const { id } = this.#webhook
    const health = await this.#noteFailure()
    const attempts = place.attempts + 1
    const delay = retryMs[place.attempts]
    const isOver = now() - health.failingSince >= disableAfterMs
    if (sent.outcome === 'gone' || isOver) {
      await places.put({ ...place, attempts, nextAt: 0 })
      await store.disable(id, sent.outcome === 'gone' ? 'gone' : 'failing')
      return 'stopped'
    }
    if (delay !== undefined) {
      const nextAt = now() + delay
      await places.put({ ...place, attempts, nextAt })
      await places.wait(id, place.owner, nextAt)
      return 'later'
    }
    const { id: message } = makeMessage({ ...this.#webhook, texts: false }, place.owner, change)
    const { status, reason } = sent
    const what = { id: message, event: change.event, at: change.at, change: change.id }
    const how = { failedAt: now(), attempts, status, reason }
    await places.fail(id, { ...what, ...how, owner: place.owner, before: place.mark })
    await places.put({ ...place, mark: change.mark, attempts: 0, nextAt: 0 })
    return 'told'
  }

  async #noteSuccess(): Promise<void> {
    if (this.#health === null) return
    this.#health = null
    await this.#parts.places.putHealth(this.#webhook.id, null)
  }

  async #noteFailure(): Promise<WebhookHealth> {
    const now = this.#parts.now()
    const { failures: before = 0, failingSince = now } = this.#health ?? {}
    const failures = before + 1
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - DOWN_AFTER))
    const pausedUntil = failures < DOWN_AFTER ? 0 : now + pause
    this.#health = { failures, failingSince, pausedUntil }
    await this.#parts.places.putHealth(this.#webhook.id, this.#health)
    return this.#health
  }
}
