import { Hono, type Handler } from 'hono'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { MemoryAdder } from './add-memories.ts'
import { deleteBatch, deleteMemory, noteFeedback, updateBatch, updateMemory } from './change-memories.ts'
import { deleteAll } from './delete-all.ts'
import { findMemory, readLive } from './find-memory.ts'
import { followEngine } from './follow-engine.ts'
import { eraseEntity } from './list-entities.ts'
import { PersonQueue, type Mem0Door } from './mem0-door.ts'
import { Mem0Events } from './mem0-events.ts'
import { openMem0Notes, type Mem0Notes } from './mem0-notes.ts'
import {
  answerEntities,
  answerEvent,
  answerEvents,
  answerList,
  answerPing,
  answerSelfHostedList,
} from './answer-lookups.ts'
import { memoryHistory } from './memory-history.ts'
import { presentMemory } from './present-memory.ts'
import { readSearch, type Dialect } from './read-lookups.ts'
import { refuseRoutes } from './refuse-routes.ts'
import { searchMemories } from './search-memories.ts'
import { ChangeWatch } from './watch-changes.ts'

export interface Mem0Options {
  /** Where metadata, feedback and the like are kept; in memory only when absent, which a restart loses. */
  readonly notes?: Mem0Notes
}

type Answer = (c: ServerRequest) => Promise<object>
type Route = readonly [method: 'GET' | 'POST' | 'PUT' | 'DELETE', paths: readonly string[], answer: Answer]

/**
 * The door for Mem0's clients: the hosted service's routes, which the `mem0ai` package speaks (`host` set to
 * `…/compat/mem0`), its earlier versions, and the self-hosted server's. Works over the same memory as the other doors. Problems are thrown: the app's
 * `handleError` says them in Mem0's form.
 *
 * @example
 * app.route('/compat/mem0', mem0Routes(deps, { notes: openMem0Notes('memory.db.mem0') }))
 */
export function mem0Routes(deps: ServerDeps, options: Mem0Options = {}): Hono<ServerEnv> {
  const door = openDoor(deps, options)
  const app = new Hono<ServerEnv>()
  const adder = new MemoryAdder(door)
  followEngine(door, adder)
  for (const [method, paths, answer] of [...hostedRoutes(door, adder), ...selfHostedRoutes(door, adder)]) {
    const handler: Handler<ServerEnv> = async (c) => c.json(await answer(c))
    app.on(method, paths.flatMap(bothForms), handler)
  }
  refuseRoutes(app, bothForms)
  return app
}

/** Mem0's client ends every path with a slash; others do not. */
const bothForms = (path: string): string[] => [path, `${path}/`]

function openDoor(deps: ServerDeps, options: Mem0Options): Mem0Door {
  return {
    deps,
    notes: options.notes ?? openMem0Notes(':memory:'),
    changes: new ChangeWatch(deps.keepsake),
    events: new Mem0Events(deps.now),
    queue: new PersonQueue(),
  }
}

const param = (c: ServerRequest, name: string): string => c.req.param(name) ?? ''

const getMemory =
  (door: Mem0Door): Answer =>
  async (c) => {
    const found = await findMemory(door, c, param(c, 'id'), 'read')
    const { memory, row } = await readLive(door, found)
    return presentMemory(memory, row, found.notes)
  }

const removeMemory =
  (door: Mem0Door): Answer =>
  async (c) => {
    await deleteMemory(door, c, param(c, 'id'))
    return { message: 'Memory deleted successfully!' }
  }

const removeAll =
  (door: Mem0Door): Answer =>
  async (c) => {
    await deleteAll(door, c)
    return { message: 'Memories deleted successfully!' }
  }

const removeEntity =
  (door: Mem0Door): Answer =>
  async (c) => {
    await eraseEntity(door, c, param(c, 'type'), param(c, 'name'))
    return { message: 'Entity deleted successfully!' }
  }

const search =
  (door: Mem0Door, dialect: Dialect): Answer =>
  async (c) => ({ results: await searchMemories(door, c, await readSearch(c, dialect)) })

function hostedRoutes(door: Mem0Door, adder: MemoryAdder): readonly Route[] {
  return [
    ['GET', ['/v1/ping'], (c) => answerPing(c)],
    ['POST', ['/v3/memories/add', '/v1/memories'], (c) => adder.add(c)],
    ['POST', ['/v3/memories/search', '/v2/memories/search', '/v1/memories/search'], search(door, 'hosted')],
    ['POST', ['/v3/memories', '/v2/memories'], (c) => answerList(door, c)],
    ['GET', ['/v1/memories/:id'], getMemory(door)],
    ['PUT', ['/v1/memories/:id'], (c) => updateMemory(door, c, param(c, 'id'))],
    ['DELETE', ['/v1/memories/:id'], removeMemory(door)],
    ['DELETE', ['/v1/memories'], removeAll(door)],
    ['GET', ['/v1/memories/:id/history'], (c) => memoryHistory(door, c, param(c, 'id'))],
    ['GET', ['/v1/entities'], (c) => answerEntities(door, c)],
    ['DELETE', ['/v2/entities/:type/:name', '/v1/entities/:type/:name'], removeEntity(door)],
    [
      'PUT',
      ['/v1/batch'],
      async (c) => ({ message: `Successfully updated ${await updateBatch(door, c)} memories` }),
    ],
    [
      'DELETE',
      ['/v1/batch'],
      async (c) => ({ message: `Successfully deleted ${await deleteBatch(door, c)} memories` }),
    ],
    ['POST', ['/v1/feedback'], async (c) => ({ id: await noteFeedback(door, c), message: 'Feedback noted' })],
    ['GET', ['/v1/event/:id'], (c) => answerEvent(door, c, param(c, 'id'))],
    ['GET', ['/v1/events'], (c) => answerEvents(door, c)],
  ]
}

/** The routes of Mem0's self-hosted server, whose paths begin otherwise. */
function selfHostedRoutes(door: Mem0Door, adder: MemoryAdder): readonly Route[] {
  return [
    ['POST', ['/memories'], (c) => adder.add(c)],
    ['GET', ['/memories'], (c) => answerSelfHostedList(door, c)],
    ['DELETE', ['/memories'], removeAll(door)],
    ['GET', ['/memories/:id'], getMemory(door)],
    ['PUT', ['/memories/:id'], (c) => updateMemory(door, c, param(c, 'id'))],
    ['DELETE', ['/memories/:id'], removeMemory(door)],
    ['GET', ['/memories/:id/history'], (c) => memoryHistory(door, c, param(c, 'id'))],
    ['POST', ['/search'], search(door, 'self-hosted')],
    ['GET', ['/entities'], (c) => answerEntities(door, c)],
    ['DELETE', ['/entities/:type/:name'], removeEntity(door)],
  ]
}
