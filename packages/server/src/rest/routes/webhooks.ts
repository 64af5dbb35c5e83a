import { z } from '@hono/zod-openapi'
import { CHANGE_EVENTS } from 'keepsake'
import { given } from '@keepsake/text/names'
import { requireGrant } from '../../access/access.ts'
import { allows, allowsAll, type Grant } from '../../access/grant.ts'
import { Problem } from '../../problem.ts'
import type { ServerRequest } from '../../server-context.ts'
import { resolveAddress, AddressError } from '../../webhooks/send-message.ts'
import type { FailedMessage } from '../../webhooks/webhook-places.ts'
import { mayManage, type NewWebhook, type Webhook, type WebhookChange } from '../../webhooks/webhook-store.ts'
import type { Webhooks } from '../../webhooks/webhooks.ts'
import { serverRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import { pageQuery, readPage, type ListPosition } from '../page.ts'
import { invalidField } from '../refuse-invalid.ts'
import { idSchema, momentSchema, orNull, param } from '../schemas/fields.ts'

const eventsSchema = z.array(z.enum(CHANGE_EVENTS)).min(1)
const MAX_URL_LENGTH = 2_000

const urlSchema = z
  .string()
  .max(MAX_URL_LENGTH, `is longer than ${MAX_URL_LENGTH} characters`)
  .describe(
    'The address to which messages are posted: `https`, in the public internet, without user name and password.',
  )

const newWebhookSchema = z
  .strictObject({
    url: urlSchema,
    tenant: idSchema
      .optional()
      .describe('Only events of this tenant. With `user`, the default is `default`.'),
    user: idSchema
      .optional()
      .describe('Only events of this user. The default is all users that the key opens.'),
    agent: idSchema.optional().describe('Only the scopes that this agent sees.'),
    app: idSchema.optional().describe('Only the scopes that this app sees.'),
    events: eventsSchema.optional().describe('The kinds of events that it receives. The default is all.'),
    texts: z
      .boolean()
      .optional()
      .describe('Whether messages contain texts of memories. The default is `false`. Needs `read`.'),
    description: z.string().max(500).optional(),
  })
  .openapi('NewWebhook')

const webhookChangeSchema = z
  .strictObject({
    url: urlSchema.optional(),
    events: eventsSchema.optional(),
    texts: z.boolean().optional(),
    description: z.string().max(500).nullable().optional(),
    enabled: z
      .boolean()
      .optional()
      .describe(
        '`false`: nothing is sent, and events wait. `true`: waiting events are sent, and the webhook belongs to this key from now on.',
      ),
  })
  .openapi('WebhookChange')

const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    tenants: z.array(z.string()).nullable().describe('The tenants of the events; null: every tenant.'),
    users: z
      .array(z.string())
      .nullable()
      .describe('The users of the events; null: every user of the tenants.'),
    agent: z.string().nullable(),
    app: z.string().nullable(),
    events: eventsSchema,
    texts: z.boolean(),
    state: z.enum(['enabled', 'disabled']),
    reason: z
      .enum(['asked', 'key-over', 'gone', 'failing'])
      .nullable()
      .describe(
        'The reason why it is disabled: a request disabled it; its key expired or was revoked; the receiver answered 410; the receiver accepted nothing for days.',
      ),
    createdAt: momentSchema,
  })
  .openapi('Webhook')

const madeWebhookSchema = z
  .object({
    webhook: webhookSchema,
    secret: z.string().describe('The secret that signs the messages. It is shown only in this answer.'),
  })
  .openapi('MadeWebhook')

const webhookPageSchema = z
  .object({ webhooks: z.array(webhookSchema), next: z.string().nullable() })
  .openapi('WebhookPage')

const removedWebhookSchema = z.object({ id: z.string() }).openapi('RemovedWebhook')

const failedSchema = z
  .object({
    id: z.string().describe('The `webhook-id` of the message.'),
    event: z.enum(CHANGE_EVENTS),
    at: momentSchema,
    failedAt: momentSchema,
    attempts: z.int(),
    status: orNull(z.int()).describe('The last HTTP status of the receiver; null: it did not answer.'),
    reason: z.string(),
  })
  .openapi('FailedMessage', { description: 'A message that was not delivered and is not retried.' })

const failedPageSchema = z
  .object({ messages: z.array(failedSchema), next: z.string().nullable() })
  .openapi('FailedMessagePage')

const replayedSchema = z
  .object({
    delivered: z.int(),
    failed: z.int().describe('The messages that failed again. They stay in the list.'),
    gone: z.int().describe('The messages whose contents were erased meanwhile.'),
  })
  .openapi('ReplayedMessages')

/** The body of a message to a receiver. */
const webhookMessageSchema = z
  .object({
    type: z.enum(CHANGE_EVENTS),
    timestamp: momentSchema.describe('The time of the event. For turns, the time when they were said.'),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'The fields of `Event` for this event, except `milliseconds`. Memories are null without `texts`.',
      ),
  })
  .openapi('WebhookMessage', {
    description:
      'A message to a webhook, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of the Standard Webhooks specification.',
  })

const names = { webhook: param(z.string(), 'The id of the webhook.') }
const TAG = 'webhooks'
/** Webhooks of one key: every change is checked against each webhook. */
const MAX_PER_KEY = 20
const MAX_REPLAYED = 100
const HOUR_MS = 3_600_000

export const webhookRoutes: readonly AddRoute[] = [
  ({ app }) => app.openAPIRegistry.register('WebhookMessage', webhookMessageSchema),
  serverRoute('POST /v1/webhooks', {
    id: 'createWebhook',
    tag: TAG,
    summary: 'Register a webhook',
    description:
      'Events are posted to the address from now on, at least once and in order for each user. Needs `read` of these users. Without `texts`, `admin` is enough.',
    needs: 'any key',
    body: newWebhookSchema,
    answer: json('The webhook, with its secret.', madeWebhookSchema, 201),
    problems: [409],
    handle: async ({ webhooks, c, body }) => {
      const grant = c.get('grant')
      const newWebhook = readNew(grant, body)
      await requireReachable(webhooks, newWebhook.url)
      await requireBelowLimit(webhooks, grant)
      const { webhook, secret } = await webhooks.store.create(newWebhook)
      void webhooks.check()
      return { webhook: presentWebhook(webhook), secret }
    },
  }),
  serverRoute('GET /v1/webhooks', {
    id: 'listWebhooks',
    tag: TAG,
    summary: 'List webhooks',
    description: 'The webhooks that this key registered; for a key with `admin`, all webhooks.',
    needs: 'any key',
    query: pageQuery,
    answer: json('The webhooks, the oldest first.', webhookPageSchema),
    handle: async ({ webhooks, c, query }) => {
      const manageable = (await webhooks.store.list()).filter((webhook) => mayManage(c.get('grant'), webhook))
      const read = (after: ListPosition | null): Promise<readonly Webhook[]> =>
        Promise.resolve(manageable.filter(({ createdAt, id }) => isAfter(after, createdAt, id)))
      const { items, next } = await readPage(query, read, ({ createdAt, id }) => ({ at: createdAt, id }))
      return { webhooks: items.map(presentWebhook), next }
    },
  }),
  serverRoute('GET /v1/webhooks/{webhook}', {
    id: 'getWebhook',
    tag: TAG,
    summary: 'Show a webhook',
    needs: 'any key',
    names,
    answer: json('The webhook, without its secret.', webhookSchema),
    problems: [404],
    handle: async ({ webhooks, c, path }) => presentWebhook(await findOwn(webhooks, c, path.webhook)),
  }),
  serverRoute('PATCH /v1/webhooks/{webhook}', {
    id: 'changeWebhook',
    tag: TAG,
    summary: 'Change a webhook, stop it, or start it again',
    needs: 'any key',
    names,
    body: webhookChangeSchema,
    answer: json('Whether the session is remembered now.', webhookSchema),
    problems: [404],
    handle: async ({ webhooks, c, path, body: { enabled, ...body } }) => {
      const webhook = await findOwn(webhooks, c, path.webhook)
      const grant = c.get('grant')
      if (body.url !== undefined) await requireReachable(webhooks, body.url)
      requireReach(grant, { ...webhook, ...given(body) })
      const change: WebhookChange = {
        ...given(body),
        ...(enabled === true ? ({ state: 'enabled', reason: null, key: grant.id } as const) : {}),
        ...(enabled === false ? ({ state: 'disabled', reason: 'asked' } as const) : {}),
      }
      const changed = await webhooks.store.change(webhook.id, change)
      void webhooks.check()
      if (changed === null) throw noWebhook()
      return presentWebhook(changed)
    },
  }),
  serverRoute('DELETE /v1/webhooks/{webhook}', {
    id: 'removeWebhook',
    tag: TAG,
    summary: 'Remove a webhook',
    description: 'Also removes its waiting and its undelivered messages.',
    needs: 'any key',
    names,
    answer: json('The webhook was removed.', removedWebhookSchema),
    problems: [404],
    handle: async ({ webhooks, c, path }) => {
      const { id } = await findOwn(webhooks, c, path.webhook)
      await webhooks.store.remove(id)
      return { id }
    },
  }),
  serverRoute('POST /v1/webhooks/{webhook}/secret', {
    id: 'rotateWebhookSecret',
    tag: TAG,
    summary: 'Make a new secret',
    description: 'Until `graceHours` have passed, the old secret also signs messages.',
    needs: 'any key',
    names,
    body: z
      .strictObject({
        graceHours: z
          .number()
          .min(0)
          .max(720)
          .optional()
          .describe('The hours in which the old secret also signs. The default is 24.'),
      })
      .openapi('RotateWebhookSecret'),
    answer: json('The webhook, with its new secret.', madeWebhookSchema),
    problems: [404],
    handle: async ({ webhooks, c, path, body: { graceHours = 24 } }) => {
      const { id } = await findOwn(webhooks, c, path.webhook)
      const rotated = await webhooks.store.rotate(id, graceHours * HOUR_MS)
      if (rotated === null) throw noWebhook()
      return { webhook: presentWebhook(rotated.webhook), secret: rotated.secret }
    },
  }),
  serverRoute('GET /v1/webhooks/{webhook}/failed', {
    id: 'listFailedMessages',
    tag: TAG,
    summary: 'List undelivered messages',
    needs: 'any key',
    names,
    query: pageQuery,
    answer: json('The messages, ordered by id.', failedPageSchema),
    problems: [404],
    handle: async ({ webhooks, c, path, query: { limit = 100, cursor } }) => {
      const { id } = await findOwn(webhooks, c, path.webhook)
      const failures = await webhooks.places.failed(id, cursor, limit + 1)
      const messages = failures.slice(0, limit)
      const next = failures.length > limit ? (messages.at(-1)?.id ?? null) : null
      return { messages: messages.map(presentFailed), next }
    },
  }),
  serverRoute('POST /v1/webhooks/{webhook}/failed/replay', {
    id: 'replayFailedMessages',
    tag: TAG,
    summary: 'Send undelivered messages again',
    description: `Sends the named messages, or the first ${MAX_REPLAYED}, one after another until one fails. Each is made from the data as it is now.`,
    needs: 'any key',
    names,
    body: z
      .strictObject({ messages: z.array(z.string()).min(1).max(MAX_REPLAYED).optional() })
      .openapi('ReplayFailedMessages'),
    answer: json('The result of each message.', replayedSchema),
    problems: [404],
    handle: async ({ webhooks, c, path, body }) => {
      const webhook = await findOwn(webhooks, c, path.webhook)
      requireReach(c.get('grant'), webhook)
      return replay(webhooks, webhook, body.messages)
    },
  }),
]

/** Whether a webhook comes after a position in the list, which is sorted by time and id. */
function isAfter(position: ListPosition | null, createdAt: number, id: string): boolean {
  if (position === null || createdAt > position.at) return true
  return createdAt === position.at && id > position.id
}

/** Reads the requested webhook. It receives only events of users that the key opens. @throws Problem 403 */
function readNew(grant: Grant, body: z.output<typeof newWebhookSchema>): NewWebhook {
  const { url, tenant, user, agent = null, app = null, events, texts = false, description = null } = body
  const tenants = user === undefined && tenant === undefined ? grant.tenants : [tenant ?? 'default']
  const users = user === undefined ? grant.users : [user]
  const newWebhook = { url, description, tenants, users, agent, app, texts, key: grant.id }
  requireReach(grant, newWebhook)
  return { ...newWebhook, events: events ?? CHANGE_EVENTS }
}

/** Requires `admin` for all events without texts, and `read` of the users otherwise. @throws Problem 403 */
function requireReach(grant: Grant, webhook: Pick<Webhook, 'tenants' | 'users' | 'texts'>): void {
  if ((!webhook.texts && allows(grant, 'admin')) || allowsAll(grant, 'read', webhook)) return
  // Throws the common refusal.
  requireGrant({ ...grant, actions: [] }, 'read')
}

async function findOwn({ store }: Webhooks, c: ServerRequest, id: string): Promise<Webhook> {
  const webhook = await store.find(id)
  if (webhook === null || !mayManage(c.get('grant'), webhook)) throw noWebhook()
  return webhook
}

function noWebhook(): Problem {
  return new Problem(404, 'not-found', 'This key has no webhook with this id. GET /v1/webhooks lists them.')
}

/** @throws Problem 422 for an address to which no message would ever be sent */
async function requireReachable({ toPrivate }: Webhooks, text: string): Promise<void> {
  const url = URL.parse(text)
  const refuse = (problem: string, cause?: unknown): Problem => invalidField('body.url', problem, cause)
  if (url === null || !/^https?:$/.test(url.protocol)) throw refuse('is no address such as https://host/path')
  if (url.protocol === 'http:' && !toPrivate) throw refuse('must begin with https://')
  if (url.username !== '' || url.password !== '')
    throw refuse('contains a user name or password, which are not needed: messages are signed')
  try {
    await resolveAddress(url, toPrivate)
  } catch (error) {
    if (error instanceof AddressError)
      throw refuse('leads to a private address, to which nothing is sent', error)
    throw refuse('has an unknown host', error)
  }
}

async function requireBelowLimit({ store }: Webhooks, { id }: Grant): Promise<void> {
  const webhooksOfKey = (await store.list()).filter(({ key }) => key === id)
  if (webhooksOfKey.length < MAX_PER_KEY) return
  const detail = `This key has ${MAX_PER_KEY} webhooks. Remove one first (DELETE /v1/webhooks/{webhook}).`
  throw new Problem(409, 'too-many-webhooks', detail)
}

async function replay(webhooks: Webhooks, webhook: Webhook, ids: readonly string[] | undefined) {
  const failures = ids === undefined ? await webhooks.places.failed(webhook.id, undefined, MAX_REPLAYED) : []
  const messageIds = ids ?? failures.map(({ id }) => id)
  const counts = { delivered: 0, failed: 0, gone: 0 }
  for (const id of messageIds) {
    const result = await webhooks.replay(webhook, id)
    if (result === null) counts.gone += 1
    else if (result.outcome === 'delivered') counts.delivered += 1
    else {
      counts.failed += 1
      break
    }
  }
  return counts
}

/** Converts a webhook to JSON, without the id of its key. */
function presentWebhook(webhook: Webhook) {
  const { key: _, tenants, users, events, createdAt, ...shown } = webhook
  const lists = { tenants: tenants && [...tenants], users: users && [...users], events: [...events] }
  return { ...shown, ...lists, createdAt: new Date(createdAt).toISOString() }
}

/** Converts a dead letter to JSON. */
function presentFailed({ id, event, at, failedAt, attempts, status, reason }: FailedMessage) {
  const times = { at: new Date(at).toISOString(), failedAt: new Date(failedAt).toISOString() }
  return { id, event, ...times, attempts, status, reason }
}
