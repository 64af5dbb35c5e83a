// Declares REST routes with their schemas, access checks and handlers.
import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type { ScopedMemory } from 'keepsake'
import { requireAccess } from '../access/access.ts'
import type { Action } from '../access/grant.ts'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import type { EventFeed } from '../serving/event-feed.ts'
import { runOnce } from '../serving/idempotency-key.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'
import { answersOf, onceHeaders, type Answering } from './describe-route.ts'
import { openScope, personQuery, scopeQuery, userPath, type ScopeEnv } from './open-scope.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import { narrowingsOf, show, type Shown } from './show.ts'

export type RestApp = OpenAPIHono<ScopeEnv>

type Fields = z.core.$ZodLooseShape
type None = Record<string, never>

/** The declaration of a route, from which its description, checks and access rules are made. */
interface RouteDeclaration<Said extends z.ZodType = z.ZodType> extends Answering<Said> {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** The required action. Checked before the rest of the request, and stated in the description. */
  readonly needs: Action | 'any key'
  /** `application/json` when absent; other types reach the handler unread. */
  readonly bodyType?: string
  /** It concerns the whole user: no agent or app narrows it. */
  readonly wholePerson?: boolean
}

/** A route with its parameters, body and handler, which runs after access and validation. */
interface Route<
  Path extends Fields,
  Query extends Fields,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  More = unknown,
> extends RouteDeclaration<Answer> {
  /** Path parameters besides the user. */
  readonly names?: Path
  readonly query?: Query
  readonly body?: Body
  readonly handle: (asked: Asked<Path, Query, Body> & More) => Said<Answer>
}

/** The method and path of a route. */
type At = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`

export interface Rest {
  readonly deps: ServerDeps
  readonly app: RestApp
  readonly events: EventFeed
  readonly webhooks: Webhooks
}

export type AddRoute = (rest: Rest) => void

/** The validated request that a handler receives. */
interface Asked<Path extends Fields, Query extends Fields, Body extends z.ZodType> extends Rest {
  readonly c: ServerRequest
  readonly path: z.output<z.ZodObject<Path>>
  readonly query: z.output<z.ZodObject<Query>>
  readonly body: z.output<Body>
}

/** Added for requests about one user: their memory. */
interface OfPerson {
  readonly memory: ScopedMemory
  /** Converts engine values to their JSON form. */
  readonly show: <Value>(value: Value) => Promise<Shown<Value>>
}

/** A streamed answer is already a response. */
type Said<Schema extends z.ZodType> = Response | Promise<Response | z.input<Schema>>

/**
 * Declares a route about one user, relative to `/v1/scopes/{user}`.
 *
 * @example
 * personRoute('GET /persona', { id: 'getPersona', …, handle: async ({ memory, show }) => show(await memory.persona()) })
 */
export function personRoute<
  Answer extends z.ZodType,
  Path extends Fields = None,
  Query extends Fields = None,
  Body extends z.ZodType = z.ZodUndefined,
>(
  at: At,
  { handle, ...route }: Route<Path, Query, Body, Answer, OfPerson> & { readonly needs: Action },
): AddRoute {
  const whose = route.wholePerson === true ? personQuery : scopeQuery
  const request = {
    params: userPath.extend(route.names ?? {}),
    query: z.strictObject({ ...whose.shape, ...route.query }),
  }
  return (rest) => {
    const { keepsake } = rest.deps
    const guard = openScope(keepsake, route.needs)
    addRoute(rest, { ...route, at: at.replace(' ', ' /v1/scopes/{user}') as At, request, guard }, (asked) => {
      const memory = asked.c.get('memory')
      const present = async <Value>(value: Value) => show(value, await narrowingsOf(keepsake, memory.key))
      const query = apartFromScope(asked.query)
      return handle({ ...(asked as Asked<Path, Query, Body>), query, memory, show: present } as Parameters<
        typeof handle
      >[0])
    })
  }
}

/** The query without the scope, which is in `memory` already. */
function apartFromScope(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !Object.hasOwn(scopeQuery.shape, name)))
}

/** Declares a route about the whole server, by its whole path: its key must open all users, unless any key will do. */
export function serverRoute<
  Answer extends z.ZodType,
  Path extends Fields = None,
  Query extends Fields = None,
  Body extends z.ZodType = z.ZodUndefined,
>(at: At, { handle, ...route }: Route<Path, Query, Body, Answer>): AddRoute {
  const params = route.names === undefined ? {} : { params: z.object(route.names) }
  const request = { ...params, query: z.strictObject({ ...route.query }) }
  const guard: MiddlewareHandler<ServerEnv> = async (c, next) => {
    if (route.needs !== 'any key') requireAccess(c, route.needs)
    await next()
  }
  return (rest) =>
    addRoute(rest, { ...route, at, request, guard }, (asked) =>
      handle(asked as unknown as Asked<Path, Query, Body>),
    )
}

/** A route with its path, parameters and guard. */
interface Guarded extends RouteDeclaration {
  readonly at: At
  readonly request: { readonly params?: z.ZodObject; readonly query: z.ZodObject }
  readonly guard: MiddlewareHandler
}
type AnyAsked = Asked<Fields, Fields, z.ZodType> & { readonly c: Context<ScopeEnv> }

function addRoute(rest: Rest, route: Guarded, handle: (asked: AnyAsked) => Said<z.ZodType>): void {
  const { at, id, tag, summary, description = '', needs, body, once = false, answer, request, guard } = route
  const [method, path] = at.split(' ') as [string, string]
  const content = { [route.bodyType ?? 'application/json']: { schema: body ?? z.undefined() } }
  const described = createRoute({
    method: method.toLowerCase() as 'get',
    path,
    operationId: id,
    summary,
    description:
      `${description} ${needs !== 'any key' ? `Needs \`${needs}\`.` : description === '' ? 'Any key may ask.' : ''}`.trim(),
    tags: [tag],
    security: [{ key: [] }],
    middleware: once ? [guard, runOnce(rest.deps)] : guard,
    request: {
      ...request,
      ...(once ? { headers: onceHeaders } : {}),
      ...(body === undefined ? {} : { body: { required: true, content } }),
    },
    responses: answersOf(route),
  })
  // The router's types cover each answer of each route; `Route` has checked the handler's return type.
  const serve = async (c: CheckedContext): Promise<Response> => {
    const { req } = c
    const checked = { path: req.valid('param'), query: req.valid('query'), body: req.valid('json') }
    const said = await handle({ ...rest, ...checked, c } as unknown as AnyAsked)
    return said instanceof Response ? said : c.json(said as object, answer.status)
  }
  const hook = refuseInvalid({ query: request.query, param: request.params, json: body })
  rest.app.openapi(described, serve as never, hook as never)
}

type CheckedContext = Context<ScopeEnv, string, { out: { param: unknown; query: unknown; json: unknown } }>
