import { createRoute, z } from '@hono/zod-openapi'
import type { Operation, ScopedMemory } from 'keepsake'
import type { ServerDeps } from '../../server-context.ts'
import { json, jsonBody, onceHeaders, problems, SECURITY, WITH_BODY } from '../describe-route.ts'
import { findPlaces } from '../find-places.ts'
import { scopeQuery, userPath } from '../open-scope.ts'
import type { RestApp } from '../rest-app.ts'
import { onceIn } from '../run-once.ts'
import { given, metadataSchema, nameSchema } from '../schemas/fields.ts'
import { operationSchema, presentOperation } from '../schemas/operation.ts'
import { TYPES } from '../schemas/words.ts'
import { memoryPath } from './memories.ts'

const editSchema = z
  .strictObject({
    text: z
      .string()
      .refine((text) => text.trim() !== '', 'is blank: to drop the memory, delete it')
      .optional(),
    value: z.string().optional().openapi({ description: 'The persona value, for facts with a key.' }),
    type: z.enum(TYPES).optional(),
    metadata: z.union([z.null(), metadataSchema]).optional().openapi({
      description: 'In place of what was kept with it; null for nothing.',
    }),
  })
  .refine(
    (edit) => Object.values(edit).some((value) => value !== undefined),
    'sets nothing: give text, value, type or metadata',
  )
  .openapi('MemoryEdit', { example: { text: 'The user lives in Lyon, on the Croix-Rousse.' } })

const changed = json('The operation that did it; undo it by its id.', operationSchema)

/** What the routes that change one memory have in common. */
function describe<Id extends string>(
  deps: ServerDeps,
  operationId: Id,
  summary: string,
  description: string,
) {
  return {
    operationId,
    summary,
    description: `${description} Needs \`write\`.`,
    tags: ['memories'],
    security: SECURITY,
    middleware: onceIn(deps, 'write'),
    request: { params: memoryPath, query: scopeQuery, headers: onceHeaders },
    responses: { 200: changed, ...problems(404, 409) },
  }
}

const editRoute = (deps: ServerDeps) => {
  const common = describe(
    deps,
    'editMemory',
    'Correct a memory',
    'What it said before stays in its history, valid until now.',
  )
  return createRoute({
    ...common,
    method: 'patch',
    path: '/v1/scopes/{user}/memories/{memory}',
    request: { ...common.request, body: jsonBody(editSchema) },
    responses: { 200: changed, ...problems(404, 409, ...WITH_BODY) },
  })
}

const deleteRoute = (deps: ServerDeps) =>
  createRoute({
    ...describe(
      deps,
      'deleteMemory',
      'Delete a memory',
      'And what would bring it back: the utterances and summary sentences it rests on. It leaves recall, and can be restored; to have it gone for good, erase it.',
    ),
    method: 'delete',
    path: '/v1/scopes/{user}/memories/{memory}',
  })

const pinRoute = (deps: ServerDeps) =>
  createRoute({
    ...describe(deps, 'pinMemory', 'Pin a memory', 'The forgetting policy never lets it go.'),
    method: 'put',
    path: '/v1/scopes/{user}/memories/{memory}/pin',
  })

const unpinRoute = (deps: ServerDeps) =>
  createRoute({
    ...describe(deps, 'unpinMemory', 'Unpin a memory', 'The forgetting policy judges it again.'),
    method: 'delete',
    path: '/v1/scopes/{user}/memories/{memory}/pin',
  })

const restoreRoute = (deps: ServerDeps) =>
  createRoute({
    ...describe(
      deps,
      'restoreMemory',
      'Restore a memory',
      'Brings back one that was forgotten, deleted or quarantined.',
    ),
    method: 'post',
    path: '/v1/scopes/{user}/memories/{memory}/restore',
  })

const undoRoute = (deps: ServerDeps) => {
  const { request, ...common } = describe(
    deps,
    'undoOperation',
    'Undo an operation',
    'And all that followed from it, unless something later changed the same.',
  )
  return createRoute({
    ...common,
    tags: ['operations'],
    request: {
      ...request,
      params: userPath.extend({
        operation: nameSchema.openapi({ param: { description: 'The operation’s id.' } }),
      }),
    },
    method: 'post',
    path: '/v1/scopes/{user}/operations/{operation}/undo',
  })
}

export function addChangeRoutes(app: RestApp, deps: ServerDeps): void {
  const present = async (memory: ScopedMemory, operation: Operation) =>
    presentOperation(operation, await findPlaces(deps.keepsake, memory.key))

  app.openapi(editRoute(deps), async (c) => {
    const memory = c.get('memory')
    const operation = await memory.edit(c.req.valid('param').memory, given(c.req.valid('json')))
    return c.json(await present(memory, operation), 200)
  })
  app.openapi(deleteRoute(deps), async (c) => {
    const memory = c.get('memory')
    return c.json(await present(memory, await memory.remove(c.req.valid('param').memory)), 200)
  })
  app.openapi(pinRoute(deps), async (c) => {
    const memory = c.get('memory')
    return c.json(await present(memory, await memory.pin(c.req.valid('param').memory)), 200)
  })
  app.openapi(unpinRoute(deps), async (c) => {
    const memory = c.get('memory')
    return c.json(await present(memory, await memory.pin(c.req.valid('param').memory, false)), 200)
  })
  app.openapi(restoreRoute(deps), async (c) => {
    const memory = c.get('memory')
    return c.json(await present(memory, await memory.restore(c.req.valid('param').memory)), 200)
  })
  app.openapi(undoRoute(deps), async (c) => {
    const memory = c.get('memory')
    return c.json(await present(memory, await memory.undo(c.req.valid('param').operation)), 200)
  })
}
