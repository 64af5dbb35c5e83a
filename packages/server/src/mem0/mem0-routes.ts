import { Hono, type Handler } from 'hono'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { addMemories } from './add-memories.ts'
import { Adds } from './adds.ts'
import { deleteBatch, deleteMemory, noteFeedback, updateBatch, updateMemory } from './change-memories.ts'
import { findMemory, requireLive } from './find-memory.ts'
import { answerEntities, eraseEntity } from './list-entities.ts'
import { answerList, answerSelfHostedList, deleteAll } from './list-memories.ts'
import { tenantOf, type Mem0Door } from './mem0-door.ts'
import { Mem0Events } from './mem0-events.ts'
import { memoryHistory } from './memory-history.ts'
import { presentMemory } from './present-memory.ts'
import { readSearch, type Dialect } from './read-lookups.ts'
import { refuseRoutes } from './refuse-routes.ts'
import { searchMemories } from './search-memories.ts'

type Answer = (door: Mem0Door, c: ServerRequest) => Promise<object>
type Route = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', paths: readonly string[], answer: Answer]

/**
 * The door for Mem0's clients: the hosted service's routes, which the `mem0ai` package speaks (`host` set to
 * `…/compat/mem0`), its earlier versions, and the self-hosted server's. Works over the same memory as the other doors, and keeps
 * nothing beside it. Problems are thrown: the app's `handleError` says them in Mem0's form.
 *
 * @example
 * app.route('/compat/mem0', mem0Routes(deps))
 */
export function mem0Routes(deps: ServerDeps): Hono<ServerEnv> {
  const adds = new Adds(deps)
  const door: Mem0Door = { deps, adds, events: new Mem0Events(deps, adds) }
  const app = new Hono<ServerEnv>()
  for (const [method, paths, answer] of [...HOSTED, ...SELF_HOSTED]) {
    const handler: Handler<ServerEnv> = async (c) => c.json(await answer(door, c))
    app.on(method, paths.flatMap(bothForms), handler)
  }
  refuseRoutes(app, bothForms)
  return app
}

/** Mem0's client ends every path with a slash; others do not. */
const bothForms = (path: string): string[] => [path, `${path}/`]

const param = (c: ServerRequest, name: string): string => c.req.param(name) ?? ''

/** Whoever asks has a key; it names no e-mail address, under which the client would report its use. */
const ping: Answer = async (_, c) => ({
  status: 'ok',
  org_id: 'keepsake',
  project_id: tenantOf(c),
  user_email: null,
})

const get: Answer = async (door, c) => {
  const found = await findMemory(door, c, param(c, 'id'), 'read')
  requireLive(found)
  return presentMemory(found.current, found.row)
}

const remove: Answer = async (door, c) => {
  await deleteMemory(door, c, param(c, 'id'))
  return { message: 'Memory deleted successfully!' }
}

const removeAll: Answer = async (door, c) => {
  await deleteAll(door, c)
  return { message: 'Memories deleted successfully!' }
}

const removeEntity: Answer = async (door, c) => {
  await eraseEntity(door, c, param(c, 'type'), param(c, 'name'))
  return { message: 'Entity deleted successfully!' }
}

const search =
  (dialect: Dialect): Answer =>
  async (door, c) => ({ results: await searchMemories(door, c, await readSearch(c, dialect)) })

const update: Answer = (door, c) => updateMemory(door, c, param(c, 'id'))

const history: Answer = (door, c) => memoryHistory(door, c, param(c, 'id'))

const updateMany: Answer = async (door, c) => ({
  message: `Successfully updated ${await updateBatch(door, c)} memories`,
})

const removeMany: Answer = async (door, c) => ({
  message: `Successfully deleted ${await deleteBatch(door, c)} memories`,
})

const giveFeedback: Answer = async (door, c) => ({
  id: await noteFeedback(door, c),
  message: 'Feedback noted',
})

const HOSTED: readonly Route[] = [
  ['GET', ['/v1/ping'], ping],
  ['POST', ['/v3/memories/add', '/v1/memories'], addMemories],
  ['POST', ['/v3/memories/search', '/v2/memories/search', '/v1/memories/search'], search('hosted')],
  ['POST', ['/v3/memories', '/v2/memories'], answerList],
  ['GET', ['/v1/memories/:id'], get],
  ['PUT', ['/v1/memories/:id'], update],
  ['DELETE', ['/v1/memories/:id'], remove],
  ['DELETE', ['/v1/memories'], removeAll],
  ['GET', ['/v1/memories/:id/history'], history],
  ['GET', ['/v1/entities'], answerEntities],
  ['DELETE', ['/v2/entities/:type/:name', '/v1/entities/:type/:name'], removeEntity],
  ['PUT', ['/v1/batch'], updateMany],
  ['DELETE', ['/v1/batch'], removeMany],
  ['POST', ['/v1/feedback'], giveFeedback],
  ['GET', ['/v1/event/:id'], ({ events }, c) => events.answerOne(c, param(c, 'id'))],
  ['GET', ['/v1/events'], ({ events }, c) => events.answerAll(c)],
]

/** The routes of Mem0's self-hosted server, whose paths begin otherwise. */
const SELF_HOSTED: readonly Route[] = [
  ['POST', ['/memories'], addMemories],
  ['GET', ['/memories'], answerSelfHostedList],
  ['DELETE', ['/memories'], removeAll],
  ['GET', ['/memories/:id'], get],
  ['PUT', ['/memories/:id'], update],
  ['DELETE', ['/memories/:id'], remove],
  ['GET', ['/memories/:id/history'], history],
  ['POST', ['/search'], search('self-hosted')],
  ['GET', ['/entities'], answerEntities],
  ['DELETE', ['/entities/:type/:name'], removeEntity],
]
