// Delivers waiting changes to one webhook, with retries.
import { createHash } from 'node:crypto'
import { FIRST_MARK, type Change, type ChangeMark, type Keepsake } from 'keepsake'
import { presentEvent } from '../rest/schemas/event.ts'
import type { EngineEvent } from '../engine-event.ts'
import type { Message, SendResult } from './send-message.ts'
import type { WebhookHealth, WebhookPosition, WebhookPlaces } from './webhook-places.ts'
import { wants, type Webhook, type WebhookStore } from './webhook-store.ts'

interface RetryOptions {
  /** Milliseconds before each retry of a message; after the last it is a dead letter. */
  readonly retryMs: readonly number[]
  /** Milliseconds without one accepted message before a receiver is disabled. */
  readonly disableAfterMs: number
}

export interface DeliveryContext extends RetryOptions {
  readonly keepsake: Keepsake
  readonly store: WebhookStore
  readonly places: WebhookPlaces
  readonly send: (webhook: Webhook, message: Message) => Promise<SendResult>
  readonly now: () => number
}

/** Consecutive failures after which deliveries pause. */
const FAILURES_BEFORE_PAUSE = 3
const MAX_PAUSE_MS = 15 * 60 * 1_000
const FIRST_PAUSE_MS = 5_000
/** Changes of a user read at a time. */
const BATCH_SIZE = 100

/** The outcome for a user's changes. `all`: delivered. `later`: a message waits for its retry. `stopped`: the webhook gets no messages for now. */
type UserOutcome = 'all' | 'later' | 'stopped'

/** Delivers waiting changes to one webhook, one message at a time, in order for each user. The caller has the webhook's lease. */
export class WebhookDelivery {
  readonly #context: DeliveryContext
  readonly #webhook: Webhook
  readonly #mayContinue: () => boolean
  #health: WebhookHealth | null = null

  /** @param mayContinue reports, before each message, whether the caller still has the lease */
  constructor(context: DeliveryContext, webhook: Webhook, mayContinue: () => boolean) {
    this.#context = context
    this.#webhook = webhook
    this.#mayContinue = mayContinue
  }

  /** Delivers all due messages, until the webhook fails or the lease is lost. */
  async run(): Promise<void> {
    const { places, now } = this.#context
    const { id } = this.#webhook
    this.#health = await places.health(id)
    if (this.#isPaused()) return
    for await (const waiting of places.waiting(id)) {
      if (waiting.nextAt > now()) continue
      const outcome = await this.#deliverUser(waiting.owner)
      if (outcome === 'all') await places.done(id, waiting)
      if (outcome === 'stopped' || this.#isPaused()) return
    }
  }

  /** Sends a dead letter again. @returns its outcome; `null` when it was erased */
  async replay(failure: { readonly owner: number; readonly before: ChangeMark; readonly change: string }) {
    const { keepsake, send } = this.#context
    // Revision -1 makes the engine read the changes, even if the user's revision is the same. The failed change is one of the first two.
    const { changes } = await keepsake.changes(failure.owner, { ...failure.before, revision: -1 }, 2)
    const change = changes.find(({ id }) => id === failure.change)
    return change === undefined
      ? null
      : send(this.#webhook, makeMessage(this.#webhook, failure.owner, change))
  }

  #isPaused(): boolean {
    return this.#health !== null && this.#health.pausedUntil > this.#context.now()
  }

  async #deliverUser(owner: number): Promise<UserOutcome> {
    const { keepsake, places } = this.#context
    const { id } = this.#webhook
    const stored = await places.place(id, owner)
    let position = stored ?? { webhook: id, owner, mark: FIRST_MARK, attempts: 0, nextAt: 0 }
    for (;;) {
      const { person, changes, mark } = await keepsake.changes(owner, position.mark, BATCH_SIZE)
      for (const change of changes) {
        if (!this.#mayContinue()) return 'stopped'
        const outcome = await this.#deliver(position, change)
        if (outcome !== 'delivered') return outcome
        position = { webhook: id, owner, mark: change.mark, attempts: 0, nextAt: 0 }
      }
      if (person === null) {
        // The user's erasure has been delivered.
        await places.forget(id, owner)
        return 'all'
      }
      const isMoved = mark.revision !== position.mark.revision || changes.length > 0
      if (isMoved) await places.put({ ...position, mark })
      position = { ...position, mark }
      if (changes.length === 0) return 'all'
    }
  }

  async #deliver(position: WebhookPosition, change: Change): Promise<'delivered' | 'later' | 'stopped'> {
    const { send, places } = this.#context
    if (!wants(this.#webhook, change)) return 'delivered'
    const message = makeMessage(this.#webhook, position.owner, change)
    const result = await send(this.#webhook, message)
    // The outcome is unknown, so the message will be sent again.
    if (!this.#mayContinue()) return 'stopped'
    if (result.outcome !== 'delivered') return this.#handleFailure(position, change, result)
    await this.#storeSuccess()
    await places.put({ ...position, mark: change.mark, attempts: 0, nextAt: 0 })
    return 'delivered'
  }

  /** Disables the webhook, schedules a retry, or stores a dead letter. After a dead letter the next change follows, as after a delivery. */
  async #handleFailure(
    position: WebhookPosition,
    change: Change,
    result: Exclude<SendResult, { outcome: 'delivered' }>,
  ): Promise<'delivered' | 'later' | 'stopped'> {
    const { places, store, retryMs, disableAfterMs, now } = this.#context
    const { id } = this.#webhook
    const health = await this.#storeFailure()
    const attempts = position.attempts + 1
    const delay = retryMs[position.attempts]
    const hasFailedTooLong = now() - health.failingSince >= disableAfterMs
    if (result.outcome === 'gone' || hasFailedTooLong) {
      await places.put({ ...position, attempts, nextAt: 0 })
      await store.disable(id, result.outcome === 'gone' ? 'gone' : 'failing')
      return 'stopped'
    }
    if (delay !== undefined) {
      const nextAt = now() + delay
      await places.put({ ...position, attempts, nextAt })
      await places.wait(id, position.owner, nextAt)
      return 'later'
    }
    const { id: messageId } = makeMessage({ ...this.#webhook, texts: false }, position.owner, change)
    const { status, reason } = result
    const letter = { id: messageId, event: change.event, at: change.at, change: change.id }
    const failure = { failedAt: now(), attempts, status, reason }
    await places.fail(id, { ...letter, ...failure, owner: position.owner, before: position.mark })
    await places.put({ ...position, mark: change.mark, attempts: 0, nextAt: 0 })
    return 'delivered'
  }

  async #storeSuccess(): Promise<void> {
    if (this.#health === null) return
    this.#health = null
    await this.#context.places.putHealth(this.#webhook.id, null)
  }

  async #storeFailure(): Promise<WebhookHealth> {
    const now = this.#context.now()
    const { failures: earlierFailures = 0, failingSince = now } = this.#health ?? {}
    const failures = earlierFailures + 1
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - FAILURES_BEFORE_PAUSE))
    const pausedUntil = failures < FAILURES_BEFORE_PAUSE ? 0 : now + pause
    this.#health = { failures, failingSince, pausedUntil }
    await this.#context.places.putHealth(this.#webhook.id, this.#health)
    return this.#health
  }
}

/** Builds a change's message from the store at each attempt, so that nothing erased is sent. Its id stays the same. */
function makeMessage({ id, texts }: Webhook, owner: number, change: Change): Message {
  // A stored change is an event without duration and without erased texts, which the cast hides.
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
