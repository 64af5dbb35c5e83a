// Delivers waiting changes to one webhook, with retries.
import { createHash } from 'node:crypto'
import { FIRST_MARK, type Change, type ChangeMark, type Keepsake } from 'keepsake'
import { presentEvent } from '../rest/schemas/event.ts'
import type { EngineEvent } from '../engine-event.ts'
import type { Message, Sent } from './send-message.ts'
import type { WebhookHealth, WebhookPlace, WebhookPlaces } from './webhook-places.ts'
import { wants, type Webhook, type WebhookStore } from './webhook-store.ts'

interface RetryOptions {
  /** Milliseconds before each retry of a message; after the last it is a dead letter. */
  readonly retryMs: readonly number[]
  /** Milliseconds without one accepted message before a receiver is disabled. */
  readonly disableAfterMs: number
}

export interface DeliveryParts extends RetryOptions {
  readonly keepsake: Keepsake
  readonly store: WebhookStore
  readonly places: WebhookPlaces
  readonly send: (webhook: Webhook, message: Message) => Promise<Sent>
  readonly now: () => number
}

/** After this many failures in a row the receiver is down, and deliveries pause. */
const DOWN_AFTER = 3
const LONGEST_PAUSE_MS = 15 * 60 * 1_000
const FIRST_PAUSE_MS = 5_000
/** Changes of a user read at a time. */
const BATCH = 100

/** The outcome of delivering a user's changes. `stopped`: no more messages to this webhook for now. */
type Delivered = 'all' | 'later' | 'stopped'

/** Delivers waiting changes to one webhook, message by message, each user's in order. The caller holds the webhook's lease. */
export class WebhookDelivery {
  readonly #parts: DeliveryParts
  readonly #webhook: Webhook
  readonly #goesOn: () => boolean
  #health: WebhookHealth | null = null

  /** @param goesOn checked before each message: whether the caller still holds the lease */
  constructor(parts: DeliveryParts, webhook: Webhook, goesOn: () => boolean) {
    this.#parts = parts
    this.#webhook = webhook
    this.#goesOn = goesOn
  }

  /** Resolves when all due messages are delivered, or none can be. */
  async run(): Promise<void> {
    const { places, now } = this.#parts
    const { id } = this.#webhook
    this.#health = await places.health(id)
    if (this.#isPaused()) return
    for await (const waiting of places.waiting(id)) {
      if (waiting.nextAt > now()) continue
      const delivered = await this.#deliverUser(waiting.owner)
      if (delivered === 'all') await places.done(id, waiting)
      if (delivered === 'stopped' || this.#isPaused()) return
    }
  }

  /** Sends a dead letter again. @returns its outcome; `null` when it was erased */
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

  async #deliverUser(owner: number): Promise<Delivered> {
    const { keepsake, places } = this.#parts
    const { id } = this.#webhook
    const known = await places.place(id, owner)
    let position = known ?? { webhook: id, owner, mark: FIRST_MARK, attempts: 0, nextAt: 0 }
    for (;;) {
      const { person, changes, mark } = await keepsake.changes(owner, position.mark, BATCH)
      for (const change of changes) {
        if (!this.#goesOn()) return 'stopped'
        const outcome = await this.#deliver(position, change)
        if (outcome !== 'delivered') return outcome
        position = { webhook: id, owner, mark: change.mark, attempts: 0, nextAt: 0 }
      }
      if (person === null) {
        // Its erasure was delivered.
        await places.forget(id, owner)
        return 'all'
      }
      const isMoved = mark.revision !== position.mark.revision || changes.length > 0
      if (isMoved) await places.put({ ...position, mark })
      position = { ...position, mark }
      if (changes.length === 0) return 'all'
    }
  }

  async #deliver(position: WebhookPlace, change: Change): Promise<'delivered' | 'later' | 'stopped'> {
    const { send, places } = this.#parts
    if (!wants(this.#webhook, change)) return 'delivered'
    const message = makeMessage(this.#webhook, position.owner, change)
    const sent = await send(this.#webhook, message)
    // Its outcome is unknown, so it is sent again.
    if (!this.#goesOn()) return 'stopped'
    if (sent.outcome !== 'delivered') return this.#failed(position, change, sent)
    await this.#noteSuccess()
    await places.put({ ...position, mark: change.mark, attempts: 0, nextAt: 0 })
    return 'delivered'
  }

  async #failed(
    position: WebhookPlace,
    change: Change,
    sent: Exclude<Sent, { outcome: 'delivered' }>,
  ): Promise<'delivered' | 'later' | 'stopped'> {
    const { places, store, retryMs, disableAfterMs, now } = this.#parts
    const { id } = this.#webhook
    const health = await this.#noteFailure()
    const attempts = position.attempts + 1
    const delay = retryMs[position.attempts]
    const isOver = now() - health.failingSince >= disableAfterMs
    if (sent.outcome === 'gone' || isOver) {
      await places.put({ ...position, attempts, nextAt: 0 })
      await store.disable(id, sent.outcome === 'gone' ? 'gone' : 'failing')
      return 'stopped'
    }
    if (delay !== undefined) {
      const nextAt = now() + delay
      await places.put({ ...position, attempts, nextAt })
      await places.wait(id, position.owner, nextAt)
      return 'later'
    }
    const { id: message } = makeMessage({ ...this.#webhook, texts: false }, position.owner, change)
    const { status, reason } = sent
    const what = { id: message, event: change.event, at: change.at, change: change.id }
    const how = { failedAt: now(), attempts, status, reason }
    await places.fail(id, { ...what, ...how, owner: position.owner, before: position.mark })
    await places.put({ ...position, mark: change.mark, attempts: 0, nextAt: 0 })
    return 'delivered'
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

/**
 * Builds a change's message: `type`, `timestamp` and `data`, as in the event stream. Built from the store at each attempt, so that nothing
 * erased is sent. The id is the same at every attempt, and opaque.
 */
function makeMessage({ id, texts }: Webhook, owner: number, change: Change): Message {
  // A stored change has no duration and no erased texts.
  const { event: type, data } = presentEvent(
    { event: change.event, payload: change.payload } as EngineEvent,
    texts,
  )
  const timestamp = new Date(change.at).toISOString()
  return {
    id: `msg_${createHash('sha256').update(`${id}/${owner}/${change.id}`).digest('hex').slice(0, 32)}`,
    body: JSON.stringify({ type, timestamp, data }),
  }
}
