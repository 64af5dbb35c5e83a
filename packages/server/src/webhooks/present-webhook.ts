import type { Webhook } from './webhook.ts'
import type { FailedMessage } from './webhook-places.ts'

/** A webhook as it goes out. Whose key it is is nobody else's business. */
export function presentWebhook(webhook: Webhook) {
  const { id, url, description, tenants, users, agent, app, events, texts, state, reason } = webhook
  const lists = { tenants: tenants && [...tenants], users: users && [...users], events: [...events] }
  const createdAt = new Date(webhook.createdAt).toISOString()
  return { id, url, description, ...lists, agent, app, texts, state, reason, createdAt }
}

/** A message that was given up, as it goes out. */
export function presentFailed({ id, event, at, failedAt, attempts, status, reason }: FailedMessage) {
  const times = { at: new Date(at).toISOString(), failedAt: new Date(failedAt).toISOString() }
  return { id, event, ...times, attempts, status, reason }
}
