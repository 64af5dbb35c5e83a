import { z } from '@hono/zod-openapi'
import { CHANGE_EVENTS } from 'keepsake'
import { momentSchema, idSchema, orNull } from './fields.ts'

const EXAMPLE = {
  id: 'wh_5c0f1e7a9b3d2c48',
  url: 'https://app.example.com/hooks/memory',
  description: null,
  tenants: ['default'],
  users: ['ana'],
  agent: null,
  app: null,
  events: ['memory-added', 'scope-erased'],
  texts: false,
  state: 'enabled',
  reason: null,
  createdAt: '2026-05-01T18:00:00.000Z',
} as const

const EVENTS = z.array(z.enum(CHANGE_EVENTS)).min(1)
const LONGEST_URL = 2_000

const urlSchema = z
  .string()
  .max(LONGEST_URL, `is longer than ${LONGEST_URL} characters`)
  .describe('Where messages are posted: `https`, in the public internet, without name and password.')

export const newWebhookSchema = z
  .strictObject({
    url: urlSchema,
    tenant: idSchema.optional().describe('Only of this tenant; with `user`, `default` when absent.'),
    user: idSchema.optional().describe('Only of this person; of all that the key opens when absent.'),
    agent: idSchema.optional().describe('Only what this agent sees.'),
    app: idSchema.optional().describe('Only what this app sees.'),
    events: EVENTS.optional().describe('The events it receives; all when absent.'),
    texts: z
      .boolean()
      .optional()
      .describe('Whether messages hold texts of memories; false when absent. Needs `read`.'),
    description: z.string().max(500).optional(),
  })
  .openapi('NewWebhook', { example: { url: EXAMPLE.url, user: 'ana', events: [...EXAMPLE.events] } })

export const webhookChangeSchema = z
  .strictObject({
    url: urlSchema.optional(),
    events: EVENTS.optional(),
    texts: z.boolean().optional(),
    description: z.string().max(500).nullable().optional(),
    enabled: z
      .boolean()
      .optional()
      .describe(
        'false: nothing is sent; what happens waits. true: what waits is sent, and the webhook is this key’s from now on.',
      ),
  })
  .openapi('WebhookChange', { example: { enabled: true } })

export const webhookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    tenants: z.array(z.string()).nullable().describe('Of whose memory; null: every tenant.'),
    users: z.array(z.string()).nullable().describe('null: every user of them.'),
    agent: z.string().nullable(),
    app: z.string().nullable(),
    events: EVENTS,
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
  .openapi('Webhook', { example: { ...EXAMPLE, events: [...EXAMPLE.events] } })

export const madeWebhookSchema = z
  .object({
    webhook: webhookSchema,
    secret: z.string().describe('By which messages are signed. Shown this once.'),
  })
  .openapi('MadeWebhook', {
    example: {
      webhook: { ...EXAMPLE, events: [...EXAMPLE.events] },
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    },
  })

export const webhookPageSchema = z
  .object({ webhooks: z.array(webhookSchema), next: z.string().nullable() })
  .openapi('WebhookPage', { example: { webhooks: [], next: null } })

export const removedWebhookSchema = z
  .object({ id: z.string() })
  .openapi('RemovedWebhook', { example: { id: EXAMPLE.id } })

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

export const failedPageSchema = z
  .object({ messages: z.array(failedSchema), next: z.string().nullable() })
  .openapi('FailedMessagePage', { example: { messages: [], next: null } })

export const replayedSchema = z
  .object({
    delivered: z.int(),
    failed: z.int().describe('They stay.'),
    gone: z.int().describe('Messages whose contents were erased meanwhile.'),
  })
  .openapi('ReplayedMessages', { example: { delivered: 3, failed: 0, gone: 0 } })

/** The body of a message to a receiver. */
export const webhookMessageSchema = z
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
