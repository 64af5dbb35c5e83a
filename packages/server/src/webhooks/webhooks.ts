// Manages all webhooks of a server: changes, deliveries and retries.
import { CHANGE_EVENTS, type EventMap, type EventScope, type Keepsake } from 'keepsake'
import { type StoredRecord, makeHolder, stateOfHolder } from 'keepsake/store'
import { allows, allowsAll, type KeyVerifier } from '../access/grant.ts'
import { WebhookDelivery, type DeliveryParts } from './deliver-webhook.ts'
import { sendMessage, type Message, type Sent } from './send-message.ts'
import { WebhookPlaces } from './webhook-places.ts'
import { isAboutPerson, isOfErased, WebhookStore, type Webhook } from './webhook-store.ts'

/** How webhooks are delivered: attempts, waits and limits. */
export interface WebhookSettings {
  /** Whether messages may go to this machine and private networks. false when absent. */
  readonly toPrivate?: boolean
  /** Milliseconds before each retry of a message, after the last of which it is a dead letter. Up to three and a half days when absent. */
  readonly retryMs?: readonly number[]
  /** Milliseconds without a success after which a webhook is disabled. Five days when absent. */
  readonly disableAfterMs?: number
  /** Milliseconds for a receiver to answer. 15 seconds when absent. */
  readonly timeoutMs?: number
}

interface WebhookParts {
  readonly keepsake: Keepsake
  /** Verifies the webhooks' keys; `null` where none is needed. */
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
const LOOK_EVERY_MS = SECOND
/** Interval of sweeps for changes whose mark was lost by a kill. Each start sweeps too. */
const SWEEP_EVERY_MS = 10 * MINUTE
/** Users checked a second, each with two reads, so that a large sweep delays nothing. */
const SWEPT_AT_A_TIME = 500

/** Events that name a user; an erased user is known by number. */
const PERSONAL = CHANGE_EVENTS.filter((event) => event !== 'scope-erased')

/**
 * Posts changes of memories to registered addresses. Changes are read from turns and log after each webhook's position, so a kill loses
 * nothing and erased texts are never sent. A change only marks its user; delivery runs behind it. Of all processes on the store, one at a
 * time delivers to an address.
 */
export class Webhooks {
  readonly store: WebhookStore
  readonly places: WebhookPlaces
  readonly #parts: WebhookParts
  readonly #settings: WebhookSettings
  readonly #lease: WebhookLease
  #touched = new Map<string, EventScope | number>()
  readonly #running = new Map<string, Promise<void>>()
  readonly #over = new AbortController()
  /** Running sweeps, by webhook. */
  readonly #sweeps = new Map<string, AsyncGenerator<void, void>>()
  readonly #swept = new Set<string>()
  #known: readonly Webhook[] = []
  #looking: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #soon: NodeJS.Timeout | null = null
  #sweptAt = 0
  #isListening = false

  constructor(parts: WebhookParts, settings: WebhookSettings = {}) {
    this.#parts = parts
    this.#settings = settings
    this.store = new WebhookStore(parts.keepsake, parts.now)
    this.places = new WebhookPlaces(parts.keepsake)
    this.#lease = new WebhookLease(parts.keepsake)
  }

  /** Whether messages may go to private addresses. */
  get toPrivate(): boolean {
    return this.#settings.toPrivate ?? false
  }

  /** Begins to listen and to deliver. */
  start(): void {
    const { keepsake } = this.#parts
    keepsake.on('scope-erased', this.#erased)
    this.#timer = setInterval(() => void this.look(true), LOOK_EVERY_MS).unref()
    void this.look(true)
  }

  /** Stops: a message being sent is cut off, and sent again later. */
  async close(): Promise<void> {
    const { keepsake } = this.#parts
    this.#listen(false)
    keepsake.off('scope-erased', this.#erased)
    if (this.#timer !== null) clearInterval(this.#timer)
    if (this.#soon !== null) clearTimeout(this.#soon)
    this.#over.abort()
    await this.#looking
    await Promise.all(this.#running.values())
    this.#lease.close()
  }

  /**
   * Delivers what is due, after the current round.
   *
   * @param sweeps whether to check some users for unmarked changes too
   */
  look(sweeps = false): Promise<void> {
    if (this.#over.signal.aborted) return Promise.resolve()
    this.#looking = this.#looking.then(() => this.#look(sweeps)).catch(this.#parts.report)
    return this.#looking
  }

  /** Sends a dead letter again. @returns `null` when it was erased; its outcome otherwise */
  async replay(webhook: Webhook, id: string): Promise<Sent | null> {
    const failure = await this.places.failure(webhook.id, id)
    if (failure === null) return null
    const sent = await new WebhookDelivery(this.#delivery(), webhook, () => true).replay(failure)
    if (sent === null || sent.outcome === 'delivered') await this.places.dropFailure(webhook.id, id)
    return sent
  }

  readonly #touchedBy = ({ scope }: EventMap[(typeof PERSONAL)[number]][0]): void =>
    this.#touch(JSON.stringify([scope.tenant, scope.user]), scope)
  readonly #erased = ({ owner }: EventMap['scope-erased'][0]): void => this.#touch(`#${owner}`, owner)

  #touch(key: string, person: EventScope | number): void {
    if (this.#known.length === 0) return
    this.#touched.set(key, person)
    // Batches changes that come together.
    this.#soon ??= setTimeout(() => {
      this.#soon = null
      void this.look()
    }, 20).unref()
  }

  /** Listens to the engine only while there are webhooks: events carry texts, which costs a little. */
  #listen(isWanted: boolean): void {
    if (isWanted === this.#isListening) return
    this.#isListening = isWanted
    for (const event of PERSONAL) this.#parts.keepsake[isWanted ? 'on' : 'off'](event, this.#touchedBy)
  }

  async #look(sweeps: boolean): Promise<void> {
    this.#known = await this.store.list()
    this.#listen(this.#known.length > 0 && !this.#over.signal.aborted)
    for (const id of this.#sweeps.keys())
      if (!this.#known.some((webhook) => webhook.id === id)) this.#sweeps.delete(id)
    const touched = [...this.#touched.values()]
    this.#touched.clear()
    const { now } = this.#parts
    const isTime = now() - this.#sweptAt > SWEEP_EVERY_MS
    for (const webhook of this.#known) {
      for (const person of touched) await this.#note(webhook, person)
      if (this.#over.signal.aborted) return
      // A webhook new to this process may have missed changes since it was registered elsewhere.
      const isDue = isTime || !this.#swept.has(webhook.id)
      if (isDue && !this.#sweeps.has(webhook.id)) this.#sweeps.set(webhook.id, this.#sweep(webhook))
      if (sweeps) await this.#goOnSweeping(webhook.id)
      if (await this.#isOver(webhook)) await this.store.remove(webhook.id)
      else if (webhook.state === 'enabled') this.#run(webhook)
    }
    if (isTime) this.#sweptAt = now()
  }

  /** Whether nothing is left to deliver of erased users who were all it was about: it goes with its address. */
  async #isOver(webhook: Webhook): Promise<boolean> {
    if (!isOfErased(webhook)) return false
    if (webhook.state === 'disabled') return true
    return (await this.places.places(webhook.id).next()).done === true
  }

  /** Stores the mark that a user's changes wait for the webhook. */
  async #note(webhook: Webhook, person: EventScope | number): Promise<void> {
    if (typeof person === 'number') {
      // An erased user has no name: receivers that had their changes get the erasure.
      if ((await this.places.place(webhook.id, person)) !== null) await this.places.wait(webhook.id, person)
      return
    }
    const { tenant, user } = person
    if (!isAboutPerson(webhook, { tenant, user })) return
    const [row] = await this.#parts.keepsake.scopes({ tenant, user, limit: 1 })
    if (row !== undefined) await this.places.wait(webhook.id, row.owner)
  }

  /** Continues a running sweep. */
  async #goOnSweeping(webhook: string): Promise<void> {
    const sweep = this.#sweeps.get(webhook)
    if (sweep === undefined) return
    for (let looked = 0; looked < SWEPT_AT_A_TIME; looked += 1) {
      if (this.#over.signal.aborted) return
      if ((await sweep.next()).done !== true) continue
      this.#sweeps.delete(webhook)
      return
    }
  }

  /** Checks all users for unmarked changes, one at each step. */
  async *#sweep(webhook: Webhook): AsyncGenerator<void, void> {
    this.#swept.add(webhook.id)
    const known = new Set<number>()
    for await (const { owner, mark } of this.places.places(webhook.id)) {
      known.add(owner)
      yield
      const { changes, person } = await this.#parts.keepsake.changes(owner, mark, 1)
      if (changes.length > 0 || person === null) await this.places.wait(webhook.id, owner)
    }
    for await (const { owner } of this.store.people(webhook)) {
      yield
      if (!known.has(owner)) await this.places.wait(webhook.id, owner)
    }
  }

  #run(webhook: Webhook): void {
    const { id } = webhook
    if (this.#running.has(id)) return
    const run = this.#deliver(webhook)
      .catch(this.#parts.report)
      .finally(() => this.#running.delete(id))
    this.#running.set(id, run)
  }

  async #deliver(webhook: Webhook): Promise<void> {
    const { id } = webhook
    if (!(await this.#isDue(id))) return
    await this.#lease.alone(`deliver/${id}`, async (holds) => {
      if (!(await this.#stands(webhook))) return void (await this.store.disable(id, 'key-over'))
      const asItWas = JSON.stringify(webhook)
      const isSame = (): boolean =>
        asItWas === JSON.stringify(this.#known.find((webhook) => webhook.id === id))
      const goesOn = (): boolean => holds() && isSame() && !this.#over.signal.aborted
      await new WebhookDelivery(this.#delivery(), webhook, goesOn).run()
    })
  }

  async #isDue(webhook: string): Promise<boolean> {
    const now = this.#parts.now()
    for await (const { nextAt } of this.places.waiting(webhook)) {
      if (nextAt > now) continue
      return ((await this.places.health(webhook))?.pausedUntil ?? 0) <= now
    }
    return false
  }

  /** Whether the key that registered it still opens its users. */
  async #stands(webhook: Webhook): Promise<boolean> {
    const { keys } = this.#parts
    const { key, texts } = webhook
    if (key === null || keys?.standing === undefined) return true
    const grant = await keys.standing(key)
    if (grant === null) return false
    return allowsAll(grant, 'read', webhook) || (!texts && allows(grant, 'admin'))
  }

  #delivery(): DeliveryParts {
    const { keepsake, now } = this.#parts
    const { retryMs = RETRY_MS, disableAfterMs = DISABLE_AFTER_MS } = this.#settings
    const { store, places } = this
    return { keepsake, now, store, places, retryMs, disableAfterMs, send: this.#send }
  }

  readonly #send = async (webhook: Webhook, message: Message): Promise<Sent> => {
    const { timeoutMs = TIMEOUT_MS } = this.#settings
    const secrets = await this.store.secrets(webhook.id)
    const how = { secrets, toPrivate: this.toPrivate, timeoutMs, now: this.#parts.now() }
    return sendMessage(message, { url: webhook.url, signal: this.#over.signal, ...how })
  }
}

const COLLECTION = 'webhook-leases'
/** Lease of another machine's process, renewed at a third of it. */
const LEASE_MS = 30_000

/**
 * Gives one process exclusive delivery of a webhook. A killed process of this machine is detected; that of another machine loses its lease
 * by time.
 */
class WebhookLease {
  readonly #keepsake: Keepsake
  readonly #holder = makeHolder()

  constructor(keepsake: Keepsake) {
    this.#keepsake = keepsake
  }

  /** Runs work exclusively for a name. @returns whether the lease was obtained. */
  async alone(name: string, work: (holds: () => boolean) => Promise<void>): Promise<boolean> {
    let held = await this.#take(name)
    if (held === null) return false
    const renew = async (): Promise<void> => {
      held = held === null ? null : await this.#put(name, held.version).catch(() => held)
    }
    const timer = setInterval(() => void renew(), LEASE_MS / 3).unref()
    try {
      await work(() => held !== null)
    } finally {
      clearInterval(timer)
      if (held !== null) await this.#keepsake.records.removeRecord(COLLECTION, name, held.version)
    }
    return true
  }

  /** Gives up all leases. */
  close(): void {
    this.#holder.release()
  }

  async #take(name: string): Promise<StoredRecord | null> {
    const found = await this.#keepsake.records.getRecord(COLLECTION, name)
    const { holder } = (found?.value ?? {}) as { readonly holder?: string }
    const isFree = holder === undefined || stateOfHolder(holder) === 'dead'
    return isFree ? this.#put(name, found?.version ?? null) : null
  }

  #put(name: string, expect: string | null): Promise<StoredRecord | null> {
    const value = { holder: this.#holder.name }
    const record = { collection: COLLECTION, key: name, value, expect, lastsMs: LEASE_MS, isDerived: true }
    return this.#keepsake.records.putRecord(record)
  }
}
