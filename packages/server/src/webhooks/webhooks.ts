// Manages all webhooks of a server: changes, deliveries and retries.
import { CHANGE_EVENTS, type EventMap, type EventScope, type Keepsake } from 'keepsake'
import { type StoredRecord, makeHolder, stateOfHolder } from 'keepsake/store'
import { allows, allowsAll, type KeyVerifier } from '../access/grant.ts'
import { WebhookDelivery, type DeliveryContext } from './deliver-webhook.ts'
import { sendMessage, type Message, type SendResult } from './send-message.ts'
import { WebhookPlaces } from './webhook-places.ts'
import { isAboutUser, isOfErased, WebhookStore, type Webhook } from './webhook-store.ts'

/** Settings of webhook deliveries: retries, timeouts and limits. */
export interface WebhookSettings {
  /** Whether messages may be sent to this machine and private networks. Default: false. */
  readonly toPrivate?: boolean
  /** Milliseconds before each retry; after the last, the message becomes a dead letter. Default: nine retries in three and a half days. */
  readonly retryMs?: readonly number[]
  /** Milliseconds without a success after which a webhook is disabled. Default: five days. */
  readonly disableAfterMs?: number
  /** Milliseconds for a receiver to answer. Default: 15 seconds. */
  readonly timeoutMs?: number
}

interface WebhooksContext {
  readonly keepsake: Keepsake
  /** Verifies the webhooks' keys; `null` on a server without keys. */
  readonly keys: Pick<KeyVerifier, 'standing'> | null
  readonly report: (error: unknown) => void
  readonly now: () => number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** From the Standard Webhooks specification. */
const RETRY_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
const DISABLE_AFTER_MS = 5 * 24 * HOUR
const TIMEOUT_MS = 15 * SECOND
const CHECK_INTERVAL_MS = SECOND
/** Collects changes for this time before they are delivered. */
const COLLECT_MS = 20
/** Interval of sweeps, which find changes whose mark was lost by a crash. Each start sweeps too. */
const SWEEP_INTERVAL_MS = 10 * MINUTE
/** Users that one check of a sweep visits, so that a large sweep delays no delivery. */
const SWEEP_USERS = 500

/** Events with the name of a user. An erased user has only a number. */
const USER_EVENTS = CHANGE_EVENTS.filter((event) => event !== 'scope-erased')

/** Posts changes to addresses. One process serves an address. It reads the log from a position when it sends, so erased texts are never sent. */
export class Webhooks {
  readonly store: WebhookStore
  readonly places: WebhookPlaces
  readonly #context: WebhooksContext
  readonly #settings: WebhookSettings
  readonly #lease: WebhookLease
  /** Users with new changes, by name; erased users by row number. */
  #changedUsers = new Map<string, EventScope | number>()
  readonly #deliveries = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #sweeps = new Map<string, AsyncGenerator<void, void>>()
  readonly #sweptWebhooks = new Set<string>()
  #webhooks: readonly Webhook[] = []
  #currentCheck: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #soonTimer: NodeJS.Timeout | null = null
  #lastSweepAt = 0
  #isListening = false

  constructor(context: WebhooksContext, settings: WebhookSettings = {}) {
    this.#context = context
    this.#settings = settings
    this.store = new WebhookStore(context.keepsake, context.now)
    this.places = new WebhookPlaces(context.keepsake)
    this.#lease = new WebhookLease(context.keepsake)
  }

  /** Whether messages may go to private addresses. */
  get toPrivate(): boolean {
    return this.#settings.toPrivate ?? false
  }

  /** Begins to send events. */
  start(): void {
    const { keepsake } = this.#context
    keepsake.on('scope-erased', this.#onErasure)
    this.#timer = setInterval(() => void this.check(true), CHECK_INTERVAL_MS).unref()
    void this.check(true)
  }

  /** Stops. A message that is being sent is cancelled and sent again later. */
  async close(): Promise<void> {
    const { keepsake } = this.#context
    this.#listen(false)
    keepsake.off('scope-erased', this.#onErasure)
    if (this.#timer !== null) clearInterval(this.#timer)
    if (this.#soonTimer !== null) clearTimeout(this.#soonTimer)
    this.#stopping.abort()
    await this.#currentCheck
    await Promise.all(this.#deliveries.values())
    this.#lease.close()
  }

  /** Starts due deliveries after the current check. With `sweeps` it also looks for changes without a mark. */
  check(sweeps = false): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve()
    this.#currentCheck = this.#currentCheck.then(() => this.#check(sweeps)).catch(this.#context.report)
    return this.#currentCheck
  }

  /** Sends a dead letter again. @returns its outcome; `null` when it was erased */
  async replay(webhook: Webhook, id: string): Promise<SendResult | null> {
    const failure = await this.places.failure(webhook.id, id)
    if (failure === null) return null
    const sent = await new WebhookDelivery(this.#delivery(), webhook, () => true).replay(failure)
    if (sent === null || sent.outcome === 'delivered') await this.places.dropFailure(webhook.id, id)
    return sent
  }

  readonly #onChange = ({ scope }: EventMap[(typeof USER_EVENTS)[number]][0]): void =>
    this.#markChanged(JSON.stringify([scope.tenant, scope.user]), scope)
  readonly #onErasure = ({ owner }: EventMap['scope-erased'][0]): void =>
    this.#markChanged(`#${owner}`, owner)

  #markChanged(key: string, person: EventScope | number): void {
    if (this.#webhooks.length === 0) return
    this.#changedUsers.set(key, person)
    this.#soonTimer ??= setTimeout(() => {
      this.#soonTimer = null
      void this.check()
    }, COLLECT_MS).unref()
  }

  /** Listens to the engine only while there are webhooks, because events with texts take time. */
  #listen(isWanted: boolean): void {
    if (isWanted === this.#isListening) return
    this.#isListening = isWanted
    for (const event of USER_EVENTS) this.#context.keepsake[isWanted ? 'on' : 'off'](event, this.#onChange)
  }

  async #check(sweeps: boolean): Promise<void> {
    this.#webhooks = await this.store.list()
    this.#listen(this.#webhooks.length > 0 && !this.#stopping.signal.aborted)
    for (const id of this.#sweeps.keys())
      if (!this.#webhooks.some((webhook) => webhook.id === id)) this.#sweeps.delete(id)
    const changedUsers = [...this.#changedUsers.values()]
    this.#changedUsers.clear()
    const { now } = this.#context
    const isSweepTime = now() - this.#lastSweepAt > SWEEP_INTERVAL_MS
    for (const webhook of this.#webhooks) {
      for (const person of changedUsers) await this.#storeMark(webhook, person)
      if (this.#stopping.signal.aborted) return
      // A webhook that another process has registered may have missed changes.
      const isDue = isSweepTime || !this.#sweptWebhooks.has(webhook.id)
      if (isDue && !this.#sweeps.has(webhook.id)) this.#sweeps.set(webhook.id, this.#sweep(webhook))
      if (sweeps) await this.#continueSweep(webhook.id)
      if (await this.#isObsolete(webhook)) await this.store.remove(webhook.id)
      else if (webhook.state === 'enabled') this.#startDelivery(webhook)
    }
    if (isSweepTime) this.#lastSweepAt = now()
  }

  /** Whether a webhook is only about erased users, and nothing is left to deliver. It is then removed with its address. */
  async #isObsolete(webhook: Webhook): Promise<boolean> {
    if (!isOfErased(webhook)) return false
    if (webhook.state === 'disabled') return true
    return (await this.places.places(webhook.id).next()).done === true
  }

  /** Stores a mark: the user has changes for the webhook. */
  async #storeMark(webhook: Webhook, person: EventScope | number): Promise<void> {
    if (typeof person === 'number') {
      // An erased user has no name. Receivers of their earlier changes also receive the erasure.
      if ((await this.places.place(webhook.id, person)) !== null) await this.places.wait(webhook.id, person)
      return
    }
    const { tenant, user } = person
    if (!isAboutUser(webhook, { tenant, user })) return
    const [row] = await this.#context.keepsake.scopes({ tenant, user, limit: 1 })
    if (row !== undefined) await this.places.wait(webhook.id, row.owner)
  }

  async #continueSweep(webhook: string): Promise<void> {
    const sweep = this.#sweeps.get(webhook)
    if (sweep === undefined) return
    for (let step = 0; step < SWEEP_USERS; step += 1) {
      if (this.#stopping.signal.aborted) return
      if ((await sweep.next()).done !== true) continue
      this.#sweeps.delete(webhook)
      return
    }
  }

  /** Checks all users for unmarked changes, one user in each step. */
  async *#sweep(webhook: Webhook): AsyncGenerator<void, void> {
    this.#sweptWebhooks.add(webhook.id)
    const checkedUsers = new Set<number>()
    for await (const { owner, mark } of this.places.places(webhook.id)) {
      checkedUsers.add(owner)
      yield
      const { changes, person } = await this.#context.keepsake.changes(owner, mark, 1)
      if (changes.length > 0 || person === null) await this.places.wait(webhook.id, owner)
    }
    for await (const { owner } of this.store.people(webhook)) {
      yield
      if (!checkedUsers.has(owner)) await this.places.wait(webhook.id, owner)
    }
  }

  #startDelivery(webhook: Webhook): void {
    const { id } = webhook
    if (this.#deliveries.has(id)) return
    const run = this.#deliver(webhook)
      .catch(this.#context.report)
      .finally(() => this.#deliveries.delete(id))
    this.#deliveries.set(id, run)
  }

  async #deliver(webhook: Webhook): Promise<void> {
    const { id } = webhook
    if (!(await this.#isDue(id))) return
    await this.#lease.runExclusively(`deliver/${id}`, async (hasLease) => {
      if (!(await this.#isKeyValid(webhook))) return void (await this.store.disable(id, 'key-over'))
      const snapshot = JSON.stringify(webhook)
      const isSame = (): boolean =>
        snapshot === JSON.stringify(this.#webhooks.find((webhook) => webhook.id === id))
      const mayContinue = (): boolean => hasLease() && isSame() && !this.#stopping.signal.aborted
      await new WebhookDelivery(this.#delivery(), webhook, mayContinue).run()
    })
  }

  async #isDue(webhook: string): Promise<boolean> {
    const now = this.#context.now()
    for await (const { nextAt } of this.places.waiting(webhook)) {
      if (nextAt > now) continue
      return ((await this.places.health(webhook))?.pausedUntil ?? 0) <= now
    }
    return false
  }

  /** Whether the webhook's key still grants access to its users. */
  async #isKeyValid(webhook: Webhook): Promise<boolean> {
    const { keys } = this.#context
    const { key, texts } = webhook
    if (key === null || keys?.standing === undefined) return true
    const grant = await keys.standing(key)
    if (grant === null) return false
    return allowsAll(grant, 'read', webhook) || (!texts && allows(grant, 'admin'))
  }

  #delivery(): DeliveryContext {
    const { keepsake, now } = this.#context
    const { retryMs = RETRY_MS, disableAfterMs = DISABLE_AFTER_MS } = this.#settings
    const { store, places } = this
    return { keepsake, now, store, places, retryMs, disableAfterMs, send: this.#send }
  }

  readonly #send = async (webhook: Webhook, message: Message): Promise<SendResult> => {
    const { timeoutMs = TIMEOUT_MS } = this.#settings
    const secrets = await this.store.secrets(webhook.id)
    const options = { secrets, toPrivate: this.toPrivate, timeoutMs, now: this.#context.now() }
    return sendMessage(message, { url: webhook.url, signal: this.#stopping.signal, ...options })
  }
}

const COLLECTION = 'webhook-leases'
/** Duration of a lease, which is renewed after a third of it. */
const LEASE_MS = 30_000

/** A lease for exclusive delivery of a webhook. The lease of a dead process of this machine is taken over; that of another machine expires. */
class WebhookLease {
  readonly #keepsake: Keepsake
  readonly #holder = makeHolder()

  constructor(keepsake: Keepsake) {
    this.#keepsake = keepsake
  }

  /** Runs work with the lease of a name. @returns `false` when another process has the lease. */
  async runExclusively(name: string, work: (hasLease: () => boolean) => Promise<void>): Promise<boolean> {
    let lease = await this.#obtain(name)
    if (lease === null) return false
    const renew = async (): Promise<void> => {
      lease = lease === null ? null : await this.#put(name, lease.version).catch(() => lease)
    }
    const timer = setInterval(() => void renew(), LEASE_MS / 3).unref()
    try {
      await work(() => lease !== null)
    } finally {
      clearInterval(timer)
      if (lease !== null) await this.#keepsake.records.removeRecord(COLLECTION, name, lease.version)
    }
    return true
  }

  close(): void {
    this.#holder.release()
  }

  async #obtain(name: string): Promise<StoredRecord | null> {
    const record = await this.#keepsake.records.getRecord(COLLECTION, name)
    const { holder } = (record?.value ?? {}) as { readonly holder?: string }
    const isFree = holder === undefined || stateOfHolder(holder) === 'dead'
    return isFree ? this.#put(name, record?.version ?? null) : null
  }

  #put(name: string, expect: string | null): Promise<StoredRecord | null> {
    const value = { holder: this.#holder.name }
    const record = { collection: COLLECTION, key: name, value, expect, lastsMs: LEASE_MS, isDerived: true }
    return this.#keepsake.records.putRecord(record)
  }
}
