import { z } from '@hono/zod-openapi'
import { KeepsakeError, type EventMap } from 'keepsake'
import type { EngineEvent } from '../event-feed.ts'
import { samePlace } from '../find-places.ts'
import { receiptSchema, presentReceipt } from './receipt.ts'
import { strengthSchema } from './explanation.ts'
import { orNull } from './fields.ts'
import { memorySchema, presentMemory } from './memory.ts'
import { operationSchema, presentOperation } from './operation.ts'
import { scopeSchema } from './scope.ts'

const errorSchema = z.object({
  code: z.string(),
  message: z.string().nullable().openapi({ description: 'null for who may not read the scope.' }),
})

const changeData = z.object({
  scope: scopeSchema,
  memory: orNull(memorySchema).openapi({ description: 'As it is now; null for who may not read the scope.' }),
  operation: operationSchema,
})

const ofName = <Name extends EngineEvent['event'], Data extends z.ZodType>(name: Name, data: Data) =>
  z.object({ event: z.literal(name), data })

/** The engine's events as they go out. */
export const eventSchema = z
  .discriminatedUnion('event', [
    ofName(
      'turns-recorded',
      z.object({
        scope: scopeSchema,
        session: z.string(),
        turns: z.array(z.string()),
        milliseconds: z.number(),
      }),
    ),
    ofName('memory-added', changeData),
    ofName('memory-modified', changeData),
    ofName('memory-deleted', changeData),
    ofName('memory-forgotten', changeData),
    ofName('memory-restored', changeData),
    ofName('memories-reinforced', z.object({ scope: scopeSchema, operation: operationSchema })),
    ofName(
      'operation-rejected',
      z.object({
        scope: scopeSchema,
        kind: z.enum(['add', 'modify', 'delete']),
        reason: z.string().nullable(),
        prompt: z.string(),
      }),
    ),
    ofName(
      'session-not-summarised',
      z.object({ scope: scopeSchema, session: z.string(), outcome: z.enum(['nothing', 'unsafe']) }),
    ),
    ofName(
      'session-ended',
      z.object({
        scope: scopeSchema,
        session: z.string(),
        forgotten: z.array(z.object({ memory: z.string(), strength: strengthSchema, reason: z.string() })),
      }),
    ),
    ofName(
      'recall-answered',
      z.object({
        scope: scopeSchema,
        memories: z.array(z.string()),
        confidence: z.number(),
        milliseconds: z.number(),
      }),
    ),
    ofName(
      'model-called',
      z.object({
        scope: scopeSchema,
        prompt: z.string(),
        model: z.string(),
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
        attempts: z.number().int(),
        inputTokens: z.number().nullable(),
        outputTokens: z.number().nullable(),
        milliseconds: z.number(),
      }),
    ),
    ofName(
      'job-failed',
      z.object({
        scope: scopeSchema,
        job: z.string(),
        attempts: z.number().int(),
        parked: z.boolean(),
        error: errorSchema,
      }),
    ),
    ofName('background-failed', z.object({ error: errorSchema })),
    ofName('scope-erased', z.object({ receipt: receiptSchema })),
  ])
  .openapi('Event', {
    description:
      'What the memory did. Told once it is durable; what happens while nobody listens is not told later.',
  })

export type EventJson = z.infer<typeof eventSchema>

/**
 * An event as it goes out.
 *
 * @param mayRead whether the listener may see texts of conversations; without, they are `null`.
 */
export function presentEvent({ event, told }: EngineEvent, mayRead: boolean): EventJson {
  switch (event) {
    case 'memory-added':
    case 'memory-modified':
    case 'memory-deleted':
    case 'memory-forgotten':
    case 'memory-restored':
      return { event, data: presentChanged(told, mayRead) }
    case 'memories-reinforced': {
      const { scope, operation } = told
      return { event, data: { scope, operation: presentOperation(operation, samePlace(scope)) } }
    }
    case 'turns-recorded':
      return { event, data: { ...told, turns: [...told.turns] } }
    case 'operation-rejected':
      return { event, data: { ...told, reason: mayRead ? told.reason : null } }
    case 'session-not-summarised':
      return { event, data: { ...told } }
    case 'session-ended':
      return { event, data: presentEnded(told) }
    case 'recall-answered':
      return { event, data: { ...told, memories: [...told.memories] } }
    case 'model-called':
      return { event, data: { ...told } }
    case 'job-failed':
      return { event, data: { ...told, error: presentError(told.error, mayRead) } }
    case 'background-failed':
      return { event, data: { error: presentError(told.error, mayRead) } }
    case 'scope-erased':
      return { event, data: { receipt: presentReceipt(told.receipt) } }
  }
}

function presentChanged({ scope, memory, operation }: EventMap['memory-added'][0], mayRead: boolean) {
  const place = samePlace(scope)
  return {
    scope,
    memory: mayRead ? presentMemory(memory, place) : null,
    operation: presentOperation(operation, place),
  }
}

function presentEnded({ forgotten, ...told }: EventMap['session-ended'][0]) {
  return {
    ...told,
    forgotten: forgotten.map(({ memory, strength, reason }) => ({
      memory,
      strength: { value: strength.value, parts: { ...strength.parts } },
      reason,
    })),
  }
}

function presentError(error: Error, mayRead: boolean): z.infer<typeof errorSchema> {
  return {
    code: error instanceof KeepsakeError ? error.code : 'internal',
    message: mayRead ? error.message : null,
  }
}
