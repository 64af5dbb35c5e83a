import { createRoute, z } from '@hono/zod-openapi'
import type { Memory } from 'keepsake'
import type { ServerDeps } from '../../server-context.ts'
import { json, problems, SECURITY } from '../describe-route.ts'
import { findPlaces } from '../find-places.ts'
import { openScope, scopeQuery, userPath } from '../open-scope.ts'
import { pageOf, pageQuery, type Mark } from '../page.ts'
import type { RestApp } from '../rest-app.ts'
import { explanationSchema, presentExplanation } from '../schemas/explanation.ts'
import { anyOf, given, nameSchema, whereSchema } from '../schemas/fields.ts'
import { MEMORY_EXAMPLE, memorySchema, presentMemory } from '../schemas/memory.ts'
import { OPERATION_EXAMPLE, pastOperationSchema, presentPastOperation } from '../schemas/operation.ts'
import { FORMS, STATUSES, TYPES } from '../schemas/words.ts'

export const memoryPath = userPath.extend({
  memory: nameSchema.openapi({ param: { description: 'The memory’s id.' } }),
})

export const memoryPageSchema = z
  .object({ memories: z.array(memorySchema), next: z.string().nullable() })
  .openapi('MemoryPage', { example: { memories: [MEMORY_EXAMPLE], next: null } })

/** As JSON, since a query holds text alone. */
const whereQuery = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON: write {"path": "topic", "is": "travel"}' })
      return z.NEVER
    }
  })
  .pipe(whereSchema)
  .openapi({ type: 'string', description: 'As `where` of a recall, written as JSON.' })

const listRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/memories',
    operationId: 'listMemories',
    summary: 'Memories in order of making',
    description: 'Live ones when no status is named. Needs `read`.',
    tags: ['memories'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: {
      params: userPath,
      query: scopeQuery.extend({
        forms: anyOf(FORMS).optional(),
        types: anyOf(TYPES).optional(),
        statuses: anyOf(STATUSES).optional(),
        session: nameSchema.optional(),
        where: whereQuery.optional(),
        contains: nameSchema.optional().openapi({
          param: {
            description: 'Only those whose text holds this, in any case. To search by meaning, recall.',
          },
        }),
        ...pageQuery,
      }),
    },
    responses: { 200: json('A page of memories.', memoryPageSchema), ...problems() },
  })

const getRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/memories/{memory}',
    operationId: 'getMemory',
    summary: 'A memory, and why it is as it is',
    description: 'Needs `read`.',
    tags: ['memories'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: memoryPath, query: scopeQuery },
    responses: { 200: json('The memory with its explanation.', explanationSchema), ...problems(404) },
  })

const historyRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/memories/{memory}/history',
    operationId: 'getMemoryHistory',
    summary: 'Every operation on a memory',
    description: 'Oldest first, with what it was before and after. Needs `read`.',
    tags: ['memories'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: memoryPath, query: scopeQuery },
    responses: {
      200: json(
        'The operations.',
        z.object({ operations: z.array(pastOperationSchema) }).openapi('History', {
          example: {
            operations: [
              {
                ...OPERATION_EXAMPLE,
                payload: {
                  before: { text: 'The user lives in Porto.' },
                  after: { text: MEMORY_EXAMPLE.text },
                },
              },
            ],
          },
        }),
      ),
      ...problems(404),
    },
  })

/** Where a memory is in a list. Ids rise with the time of making, and nothing else of a memory stays the same. */
export function markOf({ id }: Memory): Mark {
  return { at: 0, id }
}

export function addMemoryRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(listRoute(deps), async (c) => {
    const memory = c.get('memory')
    const { forms, types, statuses, session, where, contains, limit, cursor } = c.req.valid('query')
    const [found, places] = await Promise.all([
      memory.memories(given({ forms, types, statuses, session, where })),
      findPlaces(deps.keepsake, memory.key),
    ])
    const wanted = contains === undefined ? found : found.filter(({ text }) => holds(text, contains))
    const { items, next } = pageOf(wanted, { limit, cursor }, markOf)
    return c.json({ memories: items.map((one) => presentMemory(one, places)), next }, 200)
  })

  app.openapi(getRoute(deps), async (c) => {
    const memory = c.get('memory')
    const explanation = await memory.explain(c.req.valid('param').memory)
    return c.json(presentExplanation(explanation, await findPlaces(deps.keepsake, memory.key)), 200)
  })

  app.openapi(historyRoute(deps), async (c) => {
    const memory = c.get('memory')
    const history = await memory.history(c.req.valid('param').memory)
    const places = await findPlaces(deps.keepsake, memory.key)
    return c.json({ operations: history.map((one) => presentPastOperation(one, places)) }, 200)
  })
}

function holds(text: string, part: string): boolean {
  return fold(text).includes(fold(part))
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
