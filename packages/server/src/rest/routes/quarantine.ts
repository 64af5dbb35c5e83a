import { createRoute } from '@hono/zod-openapi'
import { NotFoundError, NotPossibleError, type ScopedMemory } from 'keepsake'
import type { ServerDeps } from '../../server-context.ts'
import { json, onceHeaders, problems, SECURITY } from '../describe-route.ts'
import { findPlaces } from '../find-places.ts'
import { openScope, scopeQuery, userPath } from '../open-scope.ts'
import { pageOf, pageQuery } from '../page.ts'
import type { RestApp } from '../rest-app.ts'
import { onceIn } from '../run-once.ts'
import { presentMemory } from '../schemas/memory.ts'
import { operationSchema, presentOperation } from '../schemas/operation.ts'
import { markOf, memoryPageSchema, memoryPath } from './memories.ts'

const listRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/quarantine',
    operationId: 'listQuarantine',
    summary: 'What was not believed, and why',
    description: 'Candidates that no turn supports, with the reason. They are not recalled. Needs `read`.',
    tags: ['quarantine'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: userPath, query: scopeQuery.extend(pageQuery) },
    responses: { 200: json('A page of quarantined memories.', memoryPageSchema), ...problems() },
  })

const releaseRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'post',
    path: '/v1/scopes/{user}/quarantine/{memory}/release',
    operationId: 'releaseMemory',
    summary: 'Believe a quarantined memory after all',
    description: 'It is live from then on. Needs `write`.',
    tags: ['quarantine'],
    security: SECURITY,
    middleware: onceIn(deps, 'write'),
    request: { params: memoryPath, query: scopeQuery, headers: onceHeaders },
    responses: {
      200: json('The operation that did it; undo it by its id.', operationSchema),
      ...problems(404, 409),
    },
  })

export function addQuarantineRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(listRoute(deps), async (c) => {
    const memory = c.get('memory')
    const [found, places] = await Promise.all([
      memory.memories({ statuses: ['quarantined'] }),
      findPlaces(deps.keepsake, memory.key),
    ])
    const { items, next } = pageOf(found, c.req.valid('query'), markOf)
    return c.json({ memories: items.map((one) => presentMemory(one, places)), next }, 200)
  })

  app.openapi(releaseRoute(deps), async (c) => {
    const memory = c.get('memory')
    const { memory: id } = c.req.valid('param')
    await requireQuarantined(memory, id)
    const operation = await memory.restore(id)
    return c.json(presentOperation(operation, await findPlaces(deps.keepsake, memory.key)), 200)
  })
}

/** Restoring would also bring back what was forgotten or deleted. @throws NotFoundError, NotPossibleError */
async function requireQuarantined(memory: ScopedMemory, id: string): Promise<void> {
  const [first] = await memory.history(id)
  if (first === undefined) throw new NotFoundError('memory', id)
  const quarantined = await memory.memories({ statuses: ['quarantined'] })
  if (quarantined.some((one) => one.id === id)) return
  throw new NotPossibleError(
    `Memory ${id} is not quarantined and cannot be released. To bring back a forgotten or deleted one, restore it.`,
    { memory: id },
  )
}
