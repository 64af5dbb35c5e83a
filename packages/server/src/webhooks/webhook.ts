import { CHANGE_EVENTS, type Change, type StoredRecord } from 'keepsake'
import { allows, type Grant } from '../access/access.ts'

/** What a webhook can be told of. */
export type WebhookEvent = Change['event']
export const WEBHOOK_EVENTS = CHANGE_EVENTS

/** Whose memory a webhook is told of: everybody's of these tenants and users, or of one agent or app within them. */
export interface WebhookPeople {
  /** `null`: every one. */
  readonly tenants: readonly string[] | null
  readonly users: readonly string[] | null
  readonly agent: string | null
  readonly app: string | null
}

/** An address that is told what happens to memories. */
export interface Webhook extends WebhookPeople {
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly events: readonly WebhookEvent[]
  /** Whether what is told holds words of the talk. */
  readonly texts: boolean
  /** The id of the key that it was registered with, and with which it ends; `null`: the operator's. */
  readonly key: string | null
  readonly createdAt: number
  readonly state: 'enabled' | 'disabled'
  /** Why it is disabled: asked for, its key is over, the receiver said that it is gone, or it failed for too long. */
  readonly reason: DisabledReason | null
}

export type DisabledReason = 'asked' | 'key-over' | 'gone' | 'failing'

/** A secret by which messages are signed; one that was replaced goes on beside the new one for a while. */
export interface WebhookSecret {
  readonly secret: string
  readonly until: number | null
}

export type StoredWebhook = Omit<Webhook, 'id'> & { readonly secrets: readonly WebhookSecret[] }

/** Nothing but the store of webhooks writes into its collection. */
export function asStored({ value }: StoredRecord): StoredWebhook {
  return value as unknown as StoredWebhook
}

/** What is shown of a webhook: never its secrets. */
export function asWebhook(id: string, stored: StoredWebhook): Webhook {
  const { url, description, events, texts, key, createdAt, state, reason } = stored
  const { tenants, users, agent, app } = stored
  return { id, url, description, tenants, users, agent, app, events, texts, key, createdAt, state, reason }
}

/** Whether a webhook is about a person. */
export function isAboutPerson(
  { tenants, users }: WebhookPeople,
  person: { readonly tenant: string; readonly user: string },
): boolean {
  return (tenants?.includes(person.tenant) ?? true) && (users?.includes(person.user) ?? true)
}

/** Whether it is to be told of this. An erasure is of the whole person, or of words whose scope is gone with them. */
export function wants({ events, agent, app }: Webhook, change: Change): boolean {
  if (!events.includes(change.event)) return false
  if (change.event === 'scope-erased' || (agent === null && app === null)) return true
  const { scope } = change.told
  return scope.agent === agent && scope.app === app
}

/** Whether a key may look at a webhook and change it: the one that registered it, and one that looks after the whole server. */
export function mayManage(grant: Grant, { key }: Webhook): boolean {
  return key === grant.id || allows(grant, 'admin')
}
