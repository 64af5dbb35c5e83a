import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type { ScopedMemory } from 'keepsake'
import { requireAccess, type Action } from '../access/access.ts'
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
/** No fields. */
type None = Record<string, never>

/** A route, told once: its description, its checks and who may use it are made from this. */
interface Told<Said extends z.ZodType = z.ZodType> extends Answering<Said> {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** What a key must allow, or that any will do. Asked before anything else of the request is looked at, and said in the description. */
  readonly needs: Action | 'any key'
  /** `application/json` when absent; what is sent as anything else reaches the handler unread. */
  readonly bodyType?: string
  /** It is about all of the person: no agent or app narrows it. */
  readonly wholePerson?: boolean
}

/** With what its address and body hold, and what answers it once guard and checks have let the request through. */
interface Route<
  Path extends Fields,
  Query extends Fields,
  Body extends z.ZodType,
  Answer extends z.ZodType,
  More = unknown,
> extends Told<Answer> {
  /** Names in the path besides the user's. */
  readonly names?: Path
  readonly query?: Query
  readonly body?: Body
  readonly handle: (asked: Asked<Path, Query, Body> & More) => Said<Answer>
}

/** Where a route is: its method and its path. */
type At = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`

/** What routes are added to, and what their handlers work with. */
export interface Rest {
  readonly deps: ServerDeps
  readonly app: RestApp
  readonly events: EventFeed
  readonly webhooks: Webhooks
}

/** Adds a route to an app that serves and describes it. */
export type AddRoute = (rest: Rest) => void

/** What a handler is given, all of it checked. */
interface Asked<Path extends Fields, Query extends Fields, Body extends z.ZodType> extends Rest {
  readonly c: ServerRequest
  readonly path: z.output<z.ZodObject<Path>>
  readonly query: z.output<z.ZodObject<Query>>
  readonly body: z.output<Body>
}

/** Of a request about one person: their memory, which its key opens. */
interface OfPerson {
  readonly memory: ScopedMemory
  /** Puts what the engine gave into the form in which it goes out. */
  readonly show: <Value>(value: Value) => Promise<Shown<Value>>
}

/** What streams is a response already. */
type Said<Schema extends z.ZodType> = Response | Promise<Response | z.input<Schema>>

/**
 * A route about the person that its path names: what follows `/v1/scopes/{user}`.
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

/** What a query says besides whose memory it is about, which is in `memory` already. */
function apartFromScope(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !Object.hasOwn(scopeQuery.shape, name)))
}

/** A route about the whole server, at its whole path: its key must open everybody, unless any will do. */
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

/** A route with where it is, what its address must be and who is let in. */
interface Guarded extends Told {
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
  // The router's own types know each answer of each route; `Route` has checked what its handler says.
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
