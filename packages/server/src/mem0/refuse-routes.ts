import type { Hono } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'
import { mem0ErrorResponse } from './mem0-error.ts'

/** What Mem0's client can ask for and Keepsake does not do this way, with what there is instead. */
const REFUSED: readonly (readonly [path: string, instead: string])[] = [
  ['/v1/exports', 'read a person with GET /v1/scopes/{user}/export of the REST routes'],
  ['/v1/exports/get', 'read a person with GET /v1/scopes/{user}/export of the REST routes'],
  ['/v2/entities/:type/:name/profile', 'read persona and portrait over the REST routes'],
  ['/v2/profiles/jobs', 'persona and portrait are made in the background; read them over the REST routes'],
  [
    '/v2/profiles/jobs/:id',
    'persona and portrait are made in the background; read them over the REST routes',
  ],
  ['/v2/profiles/settings', 'persona and portrait are the preset’s choice'],
  ['/api/v1/orgs/organizations/:org/projects/:project', 'settings are given to "keepsake serve"'],
  ['/api/v1/webhooks/projects/:project', 'subscribe to the events of the REST routes'],
  ['/api/v1/webhooks/:id', 'subscribe to the events of the REST routes'],
  ['/configure', 'settings are given to "keepsake serve"'],
  ['/reset', 'nothing erases everybody at once; delete entities one by one'],
]

/** Answers 501 where a 404 would leave a caller searching for a mistake of theirs. */
export function refuseRoutes(app: Hono<ServerEnv>, forms: (path: string) => string[]): void {
  for (const [path, instead] of REFUSED) {
    app.on(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], forms(path), () =>
      // Answered, not thrown: it is nobody's failure, and not for the log.
      mem0ErrorResponse(
        new Problem(501, 'not-supported', `Keepsake does not offer this to Mem0’s client: ${instead}.`),
      ),
    )
  }
}
