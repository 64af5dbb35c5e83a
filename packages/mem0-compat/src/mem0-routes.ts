import { Problem, runOnce, type ServerDeps, type ServerEnv, type ServerRequest } from '@keepsake/server'
import { Hono, type Handler } from 'hono'
import { addMemories } from './add-memories.ts'
import { deleteBatch, deleteMemory, giveFeedback, updateBatch, updateMemory } from './change-memories.ts'
import { findLive, memoryHistory } from './find-memory.ts'
import { answerEntities, eraseEntity } from './list-entities.ts'
import { answerList, answerOlderList, answerSelfHostedList, deleteAll } from './list-memories.ts'
import { answerEvent } from './mem0-events.ts'
import { tenantOf } from './mem0-names.ts'
import { presentMemory } from './present-memory.ts'
import { answerProject, updateProject } from './project-settings.ts'
import { mem0ErrorResponse } from './read-body.ts'
import { searchMemories, type Dialect } from './search-memories.ts'

type Answer = (deps: ServerDeps, c: ServerRequest) => Promise<object>
type Route = readonly [
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  paths: readonly string[],
  answer: Answer,
]

/** Mem0's protocol for the `mem0ai` package and the self-hosted server. `handleError` answers problems in Mem0's form. */
export function mem0Routes(deps: ServerDeps): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>()
  for (const [method, paths, answer] of [...HOSTED, ...SELF_HOSTED]) {
    const handler: Handler<ServerEnv> = async (c) => c.json(await answer(deps, c))
    const forms = paths.flatMap(bothForms)
    if (answer === addMemories) app.on(method, forms, runOnce(deps), handler)
    else app.on(method, forms, handler)
  }
  for (const path of UNSUPPORTED_PATHS)
    // Returns the problem instead of throwing it, because it is no failure to log.
    app.on(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], bothForms(path), () =>
      mem0ErrorResponse(new Problem(501, 'not-supported', UNSUPPORTED_DETAIL)),
    )
  return app
}

/** Mem0's client ends every path with a slash; others do not. */
const bothForms = (path: string): string[] => [path, `${path}/`]

/** Answers a ping. Returns no e-mail address, because the client would report its use under it. */
const ping: Answer = async (_, c) => ({
  status: 'ok',
  org_id: 'keepsake',
  project_id: tenantOf(c),
  user_email: null,
})

const getMemory: Answer = async (deps, c) => {
  const { current, row } = await findLive(deps, c, c.req.param('id') ?? '', 'read')
  return presentMemory(current, row)
}

const search =
  (dialect: Dialect): Answer =>
  (deps, c) =>
    searchMemories(deps, c, dialect)

const PROJECT = '/api/v1/orgs/organizations/:org/projects/:project'

const HOSTED: readonly Route[] = [
  ['GET', ['/v1/ping'], ping],
  ['POST', ['/v3/memories/add', '/v1/memories'], addMemories],
  ['POST', ['/v3/memories/search', '/v2/memories/search', '/v1/memories/search'], search('hosted')],
  ['POST', ['/v3/memories', '/v2/memories'], answerList],
  ['GET', ['/v1/memories'], answerOlderList],
  ['GET', ['/v1/memories/:id'], getMemory],
  ['PUT', ['/v1/memories/:id'], updateMemory],
  ['DELETE', ['/v1/memories/:id'], deleteMemory],
  ['DELETE', ['/v1/memories'], deleteAll],
  ['GET', ['/v1/memories/:id/history'], memoryHistory],
  ['GET', ['/v1/entities'], answerEntities],
  ['DELETE', ['/v2/entities/:type/:name', '/v1/entities/:type/:name'], eraseEntity],
  ['PUT', ['/v1/batch'], updateBatch],
  ['DELETE', ['/v1/batch'], deleteBatch],
  ['POST', ['/v1/feedback'], giveFeedback],
  ['GET', ['/v1/event/:id'], answerEvent],
  ['GET', [PROJECT], answerProject],
  ['PATCH', [PROJECT], updateProject],
]

/** The routes of Mem0's self-hosted server, which have other paths. */
const SELF_HOSTED: readonly Route[] = [
  ['POST', ['/memories'], addMemories],
  ['GET', ['/memories'], answerSelfHostedList],
  ['DELETE', ['/memories'], deleteAll],
  ['GET', ['/memories/:id'], getMemory],
  ['PUT', ['/memories/:id'], updateMemory],
  ['DELETE', ['/memories/:id'], deleteMemory],
  ['GET', ['/memories/:id/history'], memoryHistory],
  ['POST', ['/search'], search('self-hosted')],
  ['GET', ['/entities'], answerEntities],
  ['DELETE', ['/entities/:type/:name'], eraseEntity],
]

/** Routes of Mem0's client that are answered with 501, because a 404 would look like the caller's mistake. */
const UNSUPPORTED_PATHS = [
  '/v1/exports',
  '/v1/exports/get',
  '/v2/entities/:type/:name/profile',
  '/v2/profiles/jobs',
  '/v2/profiles/jobs/:id',
  '/v2/profiles/settings',
  '/api/v1/webhooks/projects/:project',
  '/api/v1/webhooks/:id',
  '/configure',
  '/reset',
]
const UNSUPPORTED_DETAIL =
  'Keepsake does not offer this to Mem0’s client. Its REST routes offer exports, persona, portrait and webhooks: see /openapi.json.'
