import { z } from '@hono/zod-openapi'
import { KeepsakeError, MODEL_TASKS, type EventName } from 'keepsake'
import type { EngineEvent } from '../../engine-event.ts'
import { show } from '../show.ts'
import { orNull, scopeSchema } from './fields.ts'
import { forgottenSchema, memorySchema, receiptSchema } from './memory.ts'
import { operationSchema, touchedSchema, withoutTexts } from './operation.ts'

const errorSchema = z.object({
  code: z.string(),
  message: z.string().nullable().describe('null for a key that may not read the scope.'),
})

const changed = z.object({
  scope: scopeSchema,
  memory: orNull(memorySchema).describe(
    'The memory as it is now; null for a key that may not read the scope.',
  ),
  operation: operationSchema,
})

/** The data of each engine event, in JSON form. */
const DATA = {
  'turns-recorded': z.object({
    scope: scopeSchema,
    session: z.string(),
    turns: z.array(z.string()),
    milliseconds: z.number(),
  }),
  'memory-added': changed,
  'memory-modified': changed,
  'memory-deleted': changed,
  'memory-forgotten': changed,
  'memory-restored': changed,
  'memories-reinforced': z.object({ scope: scopeSchema, touched: z.array(touchedSchema) }),
  'operation-rejected': z.object({
    scope: scopeSchema,
    kind: z.enum(['add', 'modify', 'delete']),
    reason: z.string().nullable(),
    prompt: z.string(),
  }),
  'session-not-summarised': z.object({
    scope: scopeSchema,
    session: z.string(),
    outcome: z.enum(['nothing', 'unsafe']),
  }),
  'portrait-not-made': z.object({ scope: scopeSchema, session: z.string(), outcome: z.enum(['unsafe']) }),
  'input-left-out': z.object({
    scope: scopeSchema,
    prompt: z.string(),
    what: z.enum(['turns', 'session-memories', 'memories', 'sentences']),
    count: z.int(),
    of: z.int(),
    cause: z.enum(['window', 'unsafe', 'length']),
  }),
  'session-ended': z.object({ scope: scopeSchema, session: z.string(), forgotten: z.array(forgottenSchema) }),
  'scope-consolidated': z.object({ scope: scopeSchema, milliseconds: z.number() }),
  'recall-answered': z.object({
    scope: scopeSchema,
    memories: z.array(z.string()),
    confidence: z.number(),
    milliseconds: z.number(),
  }),
  'model-called': z.object({
    scope: scopeSchema,
    prompt: z.string(),
    model: z.string(),
    task: z.enum(MODEL_TASKS).optional().describe('The task of the model.'),
    outcome: z.enum([
      'answered',
      'repaired',
      'unusable',
      'refused',
      'failed',
      'timed-out',
      'over-budget',
      'aborted',
    ]),
    attempts: z.int(),
    inputTokens: z.number().nullable(),
    outputTokens: z.number().nullable(),
    milliseconds: z.number(),
  }),
  'job-failed': z.object({
    scope: scopeSchema,
    job: z.string(),
    attempts: z.int(),
    parked: z.boolean(),
    error: errorSchema,
  }),
  'background-failed': z.object({ error: errorSchema }),
  'scope-erased': z.object({ receipt: receiptSchema }),
  'erasure-proven': z.object({ receipt: receiptSchema }),
} satisfies Readonly<Record<EventName, z.ZodType>>

type Data = typeof DATA

export type EventJson = { [Name in EventName]: { event: Name; data: z.infer<Data[Name]> } }[EventName]

type EventVariant = z.ZodObject<{ event: z.ZodLiteral<EventName>; data: z.ZodType }>
const [first, ...others] = Object.entries(DATA).map(([name, data]): EventVariant =>
  z.object({ event: z.literal(name as EventName), data }),
)

/** The engine's events in JSON form. */
export const eventSchema = z
  .discriminatedUnion('event', [first as EventVariant, ...others])
  .openapi('Event', {
    description:
      'A change of memory. It is sent after it is stored. Events without a listener are not sent again.',
  })

/** Converts an event to JSON, with texts of conversations if the listener may see them. */
export function presentEvent({ event, payload }: EngineEvent, mayRead: boolean): EventJson {
  const ifReadable = <Text>(text: Text): Text | null => (mayRead ? text : null)
  const { agent, app } = 'scope' in payload ? payload.scope : { agent: null, app: null }
  const data = show(
    {
      ...payload,
      // The store's user number has no meaning outside.
      ...('owner' in payload ? { owner: undefined } : {}),
      ...('erasedName' in payload ? { erasedName: undefined } : {}),
      ...('memory' in payload ? { memory: ifReadable(payload.memory) } : {}),
      ...('operation' in payload ? { operation: withoutTexts(payload.operation) } : {}),
      ...('reason' in payload ? { reason: ifReadable(payload.reason) } : {}),
      ...('error' in payload
        ? { error: { code: codeOf(payload.error), message: ifReadable(payload.error.message) } }
        : {}),
    },
    () => ({ agent, app }),
  )
  return { event, data } as EventJson
}

function codeOf(error: Error): string {
  return error instanceof KeepsakeError ? error.code : 'internal'
}
