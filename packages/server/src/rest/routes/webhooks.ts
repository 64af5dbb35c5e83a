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
  .describe('Where messages are posted: `https`, in the public internet, without name and password.')

const newWebhookSchema = z
  .strictObject({
    url: urlSchema,
    tenant: idSchema.optional().describe('Only of this tenant; with `user`, `default` when absent.'),
    user: idSchema.optional().describe('Only of this person; of all that the key opens when absent.'),
    agent: idSchema.optional().describe('Only what this agent sees.'),
    app: idSchema.optional().describe('Only what this app sees.'),
    events: eventsSchema.optional().describe('The events it receives; all when absent.'),
    texts: z
      .boolean()
      .optional()
      .describe('Whether messages hold texts of memories; false when absent. Needs `read`.'),
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
        'false: nothing is sent; what happens waits. true: what waits is sent, and the webhook is this key’s from now on.',
      ),
  })
  .openapi('WebhookChange')

const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    tenants: z.array(z.string()).nullable().describe('Of whose memory; null: every tenant.'),
    users: z.array(z.string()).nullable().describe('null: every user of them.'),
    agent: z.string().nullable(),
    app: z.string().nullable(),
    events: eventsSchema,
    texts: z.boolean(),
    state: z.enum(['enabled', 'disabled']),
    reason: z
      .enum(['asked', 'key-over', 'gone', 'failing'])
      .nullable()
      .describe(
        'Why it is disabled: asked for; its key is over; the receiver answered 410; it took nothing for days.',
      ),
    createdAt: momentSchema,
  })
  .openapi('Webhook')

const madeWebhookSchema = z
  .object({
    webhook: webhookSchema,
    secret: z.string().describe('By which messages are signed. Shown this once.'),
  })
  .openapi('MadeWebhook')

const webhookPageSchema = z
  .object({ webhooks: z.array(webhookSchema), next: z.string().nullable() })
  .openapi('WebhookPage')

const removedWebhookSchema = z.object({ id: z.string() }).openapi('RemovedWebhook')

const failedSchema = z
  .object({
    id: z.string().describe('Its `webhook-id`.'),
    event: z.enum(CHANGE_EVENTS),
    at: momentSchema,
    failedAt: momentSchema,
    attempts: z.int(),
    status: orNull(z.int()).describe('What the receiver answered last; null: nothing.'),
    reason: z.string(),
  })
  .openapi('FailedMessage', { description: 'A message that was given up.' })

const failedPageSchema = z
  .object({ messages: z.array(failedSchema), next: z.string().nullable() })
  .openapi('FailedMessagePage')

const replayedSchema = z
  .object({
    delivered: z.int(),
    failed: z.int().describe('They stay.'),
    gone: z.int().describe('Messages whose contents were erased meanwhile.'),
  })
  .openapi('ReplayedMessages')

/** The body of a message to a receiver. */
const webhookMessageSchema = z
  .object({
    type: z.enum(CHANGE_EVENTS),
    timestamp: momentSchema.describe('When it happened; of turns, when they were said.'),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'What `Event` holds of this event, except `milliseconds`; memories are null without `texts`.',
      ),
  })
  .openapi('WebhookMessage', {
    description:
      'What is posted to a webhook, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of the Standard Webhooks specification.',
  })

const names = { webhook: param(z.string(), 'The webhook’s id.') }
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
      'Registers an address to which what happens to memories is posted, from this answer on, at least once and in order for each person. Needs `read` of whom it is about; without `texts`, `admin` does as well.',
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
    description: 'Those that this key registered; all of them for a key with `admin`.',
    needs: 'any key',
    query: pageQuery,
    answer: json('Webhooks, oldest first.', webhookPageSchema),
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
    summary: 'One webhook',
    needs: 'any key',
    names,
    answer: json('It, without its secret.', webhookSchema),
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
    answer: json('As it is now.', webhookSchema),
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
    description: 'What waits for it, and what was given up, goes with it.',
    needs: 'any key',
    names,
    answer: json('It is gone.', removedWebhookSchema),
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
    summary: 'A new secret',
    description: 'Messages carry a signature by the old one too, until the hours are over.',
    needs: 'any key',
    names,
    body: z
      .strictObject({ graceHours: z.number().min(0).max(720).optional().describe('24 when absent.') })
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
    summary: 'What was given up',
    needs: 'any key',
    names,
    query: pageQuery,
    answer: json('Messages, by their ids.', failedPageSchema),
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
    summary: 'Send again what was given up',
    description: `Those named, or the first ${MAX_REPLAYED}, one after another until one fails. Each is made of what is kept now.`,
    needs: 'any key',
    names,
    body: z
      .strictObject({ messages: z.array(z.string()).min(1).max(MAX_REPLAYED).optional() })
      .openapi('ReplayFailedMessages'),
    answer: json('What came of it.', replayedSchema),
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
  return new Problem(404, 'not-found', 'This key has no webhook with that id: GET /v1/webhooks lists them.')
}

/** @throws Problem 422 for an address to which no message would ever be sent */
async function requireReachable({ toPrivate }: Webhooks, text: string): Promise<void> {
  const url = URL.parse(text)
  const refuse = (problem: string, cause?: unknown): Problem => invalidField('body.url', problem, cause)
  if (url === null || !/^https?:$/.test(url.protocol)) throw refuse('is no address such as https://host/path')
  if (url.protocol === 'http:' && !toPrivate) throw refuse('must begin with https://')
  if (url.username !== '' || url.password !== '')
    throw refuse('holds a name or password: the signature says who sends')
  try {
    await resolveAddress(url, toPrivate)
  } catch (error) {
    if (error instanceof AddressError) throw refuse('leads to a private address, which is not sent to', error)
    throw refuse('has a host that is not known', error)
  }
}

async function requireBelowLimit({ store }: Webhooks, { id }: Grant): Promise<void> {
  const webhooksOfKey = (await store.list()).filter(({ key }) => key === id)
  if (webhooksOfKey.length < MAX_PER_KEY) return
  const detail = `This key has ${MAX_PER_KEY} webhooks: remove one first (DELETE /v1/webhooks/{webhook}).`
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
