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
import { answersOf, onceHeaders, type AnswerDeclaration } from './describe-route.ts'
import { openScope, userQuery, scopeQuery, userPath, type ScopeEnv } from './open-scope.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import { narrowingsOf, show, type Shown } from './show.ts'

export type RestApp = OpenAPIHono<ScopeEnv>

type Fields = z.core.$ZodLooseShape
type None = Record<string, never>

/** The declaration of a route, from which its description, checks and access rules are made. */
interface RouteDeclaration<RouteResult extends z.ZodType = z.ZodType> extends AnswerDeclaration<RouteResult> {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** The required action. Checked before the body is validated, and stated in the description. */
  readonly needs: Action | 'any key'
  /** Whether the answer has words of memory that the request did not send. The key then needs `read` too. */
  readonly reads?: boolean
  /** Default: `application/json`. Bodies of other types reach the handler unread. */
  readonly bodyType?: string
  /** Whether the route concerns the whole user, without a choice of agent or app. */
  readonly wholeUser?: boolean
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
  readonly handle: (input: RouteInput<Path, Query, Body> & More) => HandlerResult<Answer>
}

type RoutePath = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`

export interface Rest {
  readonly deps: ServerDeps
  readonly app: RestApp
  readonly events: EventFeed
  readonly webhooks: Webhooks
}

export type AddRoute = (rest: Rest) => void

/** The validated request that a handler receives. */
interface RouteInput<Path extends Fields, Query extends Fields, Body extends z.ZodType> extends Rest {
  readonly c: ServerRequest
  readonly path: z.output<z.ZodObject<Path>>
  readonly query: z.output<z.ZodObject<Query>>
  readonly body: z.output<Body>
}

/** Additional input of routes about one user. */
interface UserContext {
  readonly memory: ScopedMemory
  /** Converts engine values to their JSON form. */
  readonly show: <Value>(value: Value) => Promise<Shown<Value>>
}

/** The value that a handler returns. A streamed answer is already a response. */
type HandlerResult<Schema extends z.ZodType> = Response | Promise<Response | z.input<Schema>>

/** Declares a route about one user, relative to `/v1/scopes/{user}`. */
export function userRoute<
  Answer extends z.ZodType,
  Path extends Fields = None,
  Query extends Fields = None,
  Body extends z.ZodType = z.ZodUndefined,
>(
  at: RoutePath,
  { handle, ...route }: Route<Path, Query, Body, Answer, UserContext> & { readonly needs: Action },
): AddRoute {
  const scopeSchema = route.wholeUser === true ? userQuery : scopeQuery
  const request = {
    params: userPath.extend(route.names ?? {}),
    query: z.strictObject({ ...scopeSchema.shape, ...route.query }),
  }
  return (rest) => {
    const { keepsake } = rest.deps
    const guard = openScope(keepsake, route.reads === true ? [route.needs, 'read'] : [route.needs])
    addRoute(
      rest,
      { ...route, at: at.replace(' ', ' /v1/scopes/{user}') as RoutePath, request, guard },
      (input) => {
        const memory = input.c.get('memory')
        const showValue = async <Value>(value: Value) => show(value, await narrowingsOf(keepsake, memory.key))
        const query = withoutScope(input.query)
        return handle({
          ...(input as RouteInput<Path, Query, Body>),
          query,
          memory,
          show: showValue,
        } as Parameters<typeof handle>[0])
      },
    )
  }
}

/** Removes the scope from the query, because it is in `memory` already. */
function withoutScope(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !Object.hasOwn(scopeQuery.shape, name)))
}

/** Declares a route about the whole server, by its whole path. Its key must open all users, unless the route needs `any key`. */
export function serverRoute<
  Answer extends z.ZodType,
  Path extends Fields = None,
  Query extends Fields = None,
  Body extends z.ZodType = z.ZodUndefined,
>(at: RoutePath, { handle, ...route }: Route<Path, Query, Body, Answer>): AddRoute {
  const params = route.names === undefined ? {} : { params: z.object(route.names) }
  const request = { ...params, query: z.strictObject({ ...route.query }) }
  const guard: MiddlewareHandler<ServerEnv> = async (c, next) => {
    if (route.needs !== 'any key') requireAccess(c, route.needs)
    await next()
  }
  return (rest) =>
    addRoute(rest, { ...route, at, request, guard }, (input) =>
      handle(input as unknown as RouteInput<Path, Query, Body>),
    )
}

interface GuardedRoute extends RouteDeclaration {
  readonly at: RoutePath
  readonly request: { readonly params?: z.ZodObject; readonly query: z.ZodObject }
  readonly guard: MiddlewareHandler
}
type AnyRouteInput = RouteInput<Fields, Fields, z.ZodType> & { readonly c: Context<ScopeEnv> }

function addRoute(
  rest: Rest,
  route: GuardedRoute,
  handle: (input: AnyRouteInput) => HandlerResult<z.ZodType>,
): void {
  const { at, id, tag, summary, body, once = false, answer, request, guard } = route
  const [method, path] = at.split(' ') as [string, string]
  const content = { [route.bodyType ?? 'application/json']: { schema: body ?? z.undefined() } }
  const described = createRoute({
    method: method.toLowerCase() as 'get',
    path,
    operationId: id,
    summary,
    description: describeAccess(route),
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
    const result = await handle({ ...rest, ...checked, c } as unknown as AnyRouteInput)
    return result instanceof Response ? result : c.json(result as object, answer.status)
  }
  const hook = refuseInvalid({ query: request.query, param: request.params, json: body })
  rest.app.openapi(described, serve as never, hook as never)
}

/** Returns the description with the actions that the key needs. */
function describeAccess({ description = '', needs, reads }: RouteDeclaration): string {
  if (needs === 'any key') return description === '' ? 'Any key may send this request.' : description
  const actions = reads === true ? `\`${needs}\` and \`read\`` : `\`${needs}\``
  return `${description} Needs ${actions}.`.trim()
}

type CheckedContext = Context<ScopeEnv, string, { out: { param: unknown; query: unknown; json: unknown } }>
