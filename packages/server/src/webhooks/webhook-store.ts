// Stores webhooks in the records of the store.
import { randomBytes } from 'node:crypto'
import type { Change, Keepsake } from 'keepsake'
import { isErasedName, namesUser, type Records, type StoredRecord } from 'keepsake/store'
import { allows, type Grant } from '../access/grant.ts'
import { WebhookPlaces, type FailedMessage } from './webhook-places.ts'

/** The users whose events a webhook receives, optionally only those of one agent or app. */
interface WebhookUsers {
  /** `null`: all. */
  readonly tenants: readonly string[] | null
  readonly users: readonly string[] | null
  readonly agent: string | null
  readonly app: string | null
}

/** A registered address, to which changes of memories are posted. */
export interface Webhook extends WebhookUsers {
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly events: readonly Change['event'][]
  /** Whether messages include texts of conversations. */
  readonly texts: boolean
  /** The id of the key that registered it, and whose end disables it; `null`: the operator. */
  readonly key: string | null
  readonly createdAt: number
  readonly state: 'enabled' | 'disabled'
  /** The reason why the webhook is disabled: on request, expired key, receiver gone, or failures for too long. */
  readonly reason: DisabledReason | null
}

type DisabledReason = 'asked' | 'key-over' | 'gone' | 'failing'

/** A signing secret. A replaced one stays valid until `until`. */
interface WebhookSecret {
  readonly secret: string
  readonly until: number | null
}

type StoredWebhook = Omit<Webhook, 'id'> & { readonly secrets: readonly WebhookSecret[] }

/** Casts a record's value, since only this class writes into its collection. */
function asStored({ value }: StoredRecord): StoredWebhook {
  return value as unknown as StoredWebhook
}

/** The value of a record, whose type allows no read-only lists. */
function asValue(stored: StoredWebhook): StoredRecord['value'] {
  return stored as unknown as StoredRecord['value']
}

function asWebhook(id: string, stored: StoredWebhook): Webhook {
  const { secrets: _, ...webhook } = stored
  return { id, ...webhook }
}

export function isAboutUser(
  { tenants, users }: WebhookUsers,
  person: { readonly tenant: string; readonly user: string },
): boolean {
  return (tenants?.includes(person.tenant) ?? true) && (users === null || namesUser(users, person.user))
}

/** Whether all users of a webhook are erased. */
export function isOfErased({ users }: Pick<Webhook, 'users'>): boolean {
  return users !== null && users.every(isErasedName)
}

/** Whether a webhook receives a change. It receives erasures whatever its agent and app, because they concern the whole user. */
export function wants({ events, agent, app }: Webhook, change: Change): boolean {
  if (!events.includes(change.event)) return false
  if (change.event === 'scope-erased' || (agent === null && app === null)) return true
  const { scope } = change.payload
  return scope.agent === agent && scope.app === app
}

/** Whether a key may manage a webhook: the key that registered it, or one that administers the whole server. */
export function mayManage(grant: Grant, { key }: Webhook): boolean {
  return key === grant.id || allows(grant, 'admin')
}

const COLLECTION = 'webhooks'
const SECRET_BYTES = 32
const PAGE_SIZE = 500

/** A webhook to be added. */
export type NewWebhook = Omit<Webhook, 'id' | 'createdAt' | 'state' | 'reason'>
export type WebhookChange = Partial<
  Pick<Webhook, 'url' | 'description' | 'events' | 'texts' | 'key' | 'state' | 'reason'>
>

/** A webhook with its signing secret, which is shown only here. */
export interface MadeWebhook {
  readonly webhook: Webhook
  readonly secret: string
}

/** Webhooks as they are stored with the memory. */
export class WebhookStore {
  readonly #keepsake: Keepsake
  readonly #now: () => number
  readonly #places: WebhookPlaces

  /** @param now the clock, for tests: milliseconds since 1970 */
  constructor(keepsake: Keepsake, now: () => number = Date.now) {
    this.#keepsake = keepsake
    this.#now = now
    this.#places = new WebhookPlaces(keepsake)
  }

  /** Registers an address. It receives only later changes, because the present position of each of its users is stored first. */
  async create(input: NewWebhook): Promise<MadeWebhook> {
    const id = `wh_${randomBytes(8).toString('hex')}`
    const secret = newSecret()
    const createdAt = this.#now()
    const secrets: readonly WebhookSecret[] = [{ secret, until: null }]
    const stored: StoredWebhook = { ...input, createdAt, state: 'enabled', reason: null, secrets }
    for await (const { owner } of this.people(stored)) {
      const mark = await this.#keepsake.changeMark(owner)
      await this.#places.put({ webhook: id, owner, mark, attempts: 0, nextAt: 0 })
    }
    await this.#records.putRecord({ collection: COLLECTION, key: id, value: asValue(stored), expect: null })
    return { webhook: asWebhook(id, stored), secret }
  }

  /** Lists the webhooks, without their secrets. */
  async list(): Promise<readonly Webhook[]> {
    const records = await this.#records.listRecords({ collection: COLLECTION })
    const webhooks = records.map((record) => asWebhook(record.key, asStored(record)))
    return webhooks.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  }

  /** @returns `null` for an unknown id */
  async find(id: string): Promise<Webhook | null> {
    const record = await this.#records.getRecord(COLLECTION, id)
    return record === null ? null : asWebhook(id, asStored(record))
  }

  /** Returns the valid signing secrets, newest first. */
  async secrets(id: string): Promise<readonly string[]> {
    const record = await this.#records.getRecord(COLLECTION, id)
    if (record === null) return []
    const now = this.#now()
    return asStored(record).secrets.flatMap(({ secret, until }) =>
      until === null || until > now ? [secret] : [],
    )
  }

  /** @returns the changed webhook; `null` for an unknown id */
  async change(id: string, change: WebhookChange): Promise<Webhook | null> {
    const changed = await this.#update(id, (stored) => ({ ...stored, ...change }))
    if (changed !== null && change.state === 'enabled') await this.#places.putHealth(id, null)
    return changed
  }

  /** Pauses delivery until it is enabled again; changes wait. */
  disable(id: string, reason: DisabledReason): Promise<Webhook | null> {
    return this.change(id, { state: 'disabled', reason })
  }

  /** Makes a new secret. The old one also signs messages for `graceMs`, so that receivers can change over. */
  async rotate(id: string, graceMs: number): Promise<MadeWebhook | null> {
    const secret = newSecret()
    const now = this.#now()
    const webhook = await this.#update(id, (stored) => ({
      ...stored,
      secrets: [{ secret, until: null }, ...expireSecrets(stored.secrets, now, now + graceMs)],
    }))
    return webhook === null ? null : { webhook, secret }
  }

  /** Removes a webhook with all that waits for it. @returns whether it existed. */
  async remove(id: string): Promise<boolean> {
    const existed = await this.#records.removeRecord(COLLECTION, id)
    if (existed) await this.#places.clear(id)
    return existed
  }

  /** Lists dead letters, at most `limit` of them. */
  async failed(id: string, limit: number): Promise<readonly FailedMessage[]> {
    const failures = await this.#places.failed(id, undefined, limit)
    return failures.map(({ owner: _owner, before: _before, change: _change, ...failure }) => failure)
  }

  /** Iterates over the users of a webhook, page by page. */
  async *people(webhook: Pick<Webhook, 'tenants' | 'users' | 'agent' | 'app'>): AsyncGenerator<WebhookUser> {
    const { tenants, users } = webhook
    const [tenant] = tenants?.length === 1 ? tenants : []
    const [user] = users?.length === 1 && !isOfErased({ users }) ? users : []
    const names = { ...(tenant === undefined ? {} : { tenant }), ...(user === undefined ? {} : { user }) }
    const yielded = new Set<number>()
    for (let after = 0; ;) {
      const rows = await this.#keepsake.scopes({ ...names, after, limit: PAGE_SIZE })
      for (const { owner, tenant, user, scope } of rows) {
        after = scope
        if (yielded.has(owner) || !isAboutUser(webhook, { tenant, user })) continue
        yielded.add(owner)
        yield { owner, tenant, user }
      }
      if (rows.length < PAGE_SIZE) return
    }
  }

  get #records(): Records {
    return this.#keepsake.records
  }

  async #update(id: string, change: (stored: StoredWebhook) => StoredWebhook): Promise<Webhook | null> {
    for (;;) {
      const found = await this.#records.getRecord(COLLECTION, id)
      if (found === null) return null
      const changed = change(asStored(found))
      const record = { collection: COLLECTION, key: id, value: asValue(changed), expect: found.version }
      if ((await this.#records.putRecord(record)) !== null) return asWebhook(id, changed)
    }
  }
}

interface WebhookUser {
  readonly owner: number
  readonly tenant: string
  readonly user: string
}

/** Returns the valid secrets, which expire at `end` at the latest. */
function expireSecrets(secrets: readonly WebhookSecret[], now: number, end: number): WebhookSecret[] {
  const valid = secrets.filter(({ until }) => until === null || until > now)
  return valid.map(({ secret, until }) => ({ secret, until: Math.min(until ?? end, end) }))
}

/** Makes a signing secret in the format of the Standard Webhooks specification. */
function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}
