import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import type { ScopedMemory } from 'keepsake'
import type { Action } from '../access/access.ts'
import { requireAccess } from '../access/require-access.ts'
import type { ServerDeps, ServerEnv, ServerRequest } from '../server-context.ts'
import { answersOf, onceHeaders, type Answering } from './describe-route.ts'
import { openScope, personQuery, scopeQuery, userPath, type ScopeEnv } from './open-scope.ts'
import { refuseInvalid } from './refuse-invalid.ts'
import { runOnce } from './run-once.ts'
import { placesOf, show, type Shown } from './show.ts'

export type RestApp = OpenAPIHono<ScopeEnv>

type Fields = z.core.$ZodLooseShape
/** No fields. */
type None = Record<string, never>

/** A route, told once: its description, its checks and who may use it are made from this. */
export interface Route<
  Path extends Fields,
  Query extends Fields,
  Body extends z.ZodType,
  Said extends z.ZodType,
> extends Answering<Said> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Of a person's route what follows `/v1/scopes/{user}`, else the whole. */
  readonly path: string
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** What a key must allow. Asked before anything else of the request is looked at, and said in the description. */
  readonly needs: Action
  /** Names in the path besides the user's. */
  readonly names?: Path
  readonly query?: Query
  readonly body?: Body
  /** `application/json` when absent; what is sent as anything else reaches the handler unread. */
  readonly bodyType?: string
  /** It is about all of the person: no agent or app narrows it. */
  readonly wholePerson?: boolean
}

/** Tells a route. @example const recallRoute = route({ method: 'post', path: '/recall', … }) */
export function route<
  Answer extends z.ZodType,
  Path extends Fields = None,
  Query extends Fields = None,
  Body extends z.ZodType = z.ZodUndefined,
>(told: Route<Path, Query, Body, Answer>): Route<Path, Query, Body, Answer> {
  return told
}

/** What a handler is given, all of it checked. */
export interface Asked<Path extends Fields, Query extends Fields, Body extends z.ZodType> {
  readonly c: ServerRequest
  readonly path: z.output<z.ZodObject<Path>>
  readonly query: z.output<z.ZodObject<Query>>
  readonly body: z.output<Body>
}

/** A request about one person's memory, which its key opens. */
export interface AskedOfPerson<
  Path extends Fields,
  Query extends Fields,
  Body extends z.ZodType,
> extends Asked<Path, Query, Body> {
  readonly memory: ScopedMemory
  /** Puts what the engine gave into the form in which it goes out. */
  readonly show: <Value>(value: Value) => Promise<Shown<Value>>
}

/** What streams is a response already. */
type Said<Schema extends z.ZodType> = Response | Promise<Response | z.input<Schema>>

type CheckedContext = Context<ScopeEnv, string, { out: { param: unknown; query: unknown; json: unknown } }>

type Handle = (asked: Asked<Fields, Fields, z.ZodType>, memory: ScopedMemory) => Said<z.ZodType>

/** Takes routes as they are told, into an app that serves and describes them. */
export class RestRouter {
  readonly deps: ServerDeps
  readonly app: RestApp = new OpenAPIHono<ScopeEnv>({ defaultHook: refuseInvalid })

  constructor(deps: ServerDeps) {
    this.deps = deps
  }

  /** A route about the person that its path names. */
  person<
    Answer extends z.ZodType,
    Path extends Fields = None,
    Query extends Fields = None,
    Body extends z.ZodType = z.ZodUndefined,
  >(
    route: Route<Path, Query, Body, Answer>,
    handle: (asked: AskedOfPerson<Path, Query, Body>) => Said<Answer>,
  ): void {
    const { keepsake } = this.deps
    const whose = route.wholePerson === true ? personQuery : scopeQuery
    const request = {
      params: userPath.extend(route.names ?? {}),
      query: z.strictObject({ ...whose.shape, ...route.query }),
    }
    const path = `/v1/scopes/{user}${route.path}`
    this.#add({ ...route, path }, request, openScope(keepsake, route.needs), (asked, memory) => {
      const present = async <Value>(value: Value) => show(value, await placesOf(keepsake, memory.key))
      return handle({ ...(asked as Asked<Path, Query, Body>), memory, show: present })
    })
  }

  /** A route about the whole server: its key must open everybody. */
  server<Answer extends z.ZodType, Query extends Fields = None, Body extends z.ZodType = z.ZodUndefined>(
    route: Route<None, Query, Body, Answer>,
    handle: (asked: Asked<None, Query, Body>) => Said<Answer>,
  ): void {
    const request = { query: z.strictObject({ ...route.query }) }
    const guard: MiddlewareHandler<ServerEnv> = async (c, next) => {
      requireAccess(c, route.needs)
      await next()
    }
    this.#add(route, request, guard, (asked) => handle(asked as Asked<None, Query, Body>))
  }

  #add(
    route: Route<Fields, Fields, z.ZodType, z.ZodType>,
    request: { readonly params?: z.ZodObject; readonly query: z.ZodObject },
    guard: MiddlewareHandler,
    handle: Handle,
  ): void {
    const { method, path, id, tag, summary, description = '', needs, body, once = false, answer } = route
    const content = { [route.bodyType ?? 'application/json']: { schema: body ?? z.undefined() } }
    const described = createRoute({
      method,
      path,
      operationId: id,
      summary,
      description: `${description} Needs \`${needs}\`.`.trim(),
      tags: [tag],
      security: [{ key: [] }],
      middleware: once ? [guard, runOnce(this.deps)] : guard,
      request: {
        ...request,
        ...(once ? { headers: onceHeaders } : {}),
        ...(body === undefined ? {} : { body: { required: true, content } }),
      },
      responses: answersOf(route),
    })
    // The router's own types know each answer of each route; `Route` has checked what its handler says.
    const serve = async (c: CheckedContext): Promise<Response> => {
      const asked = {
        c: c as unknown as ServerRequest,
        path: c.req.valid('param'),
        query: c.req.valid('query'),
        body: c.req.valid('json'),
      }
      const said = await handle(asked as Asked<Fields, Fields, z.ZodType>, c.get('memory'))
      return said instanceof Response ? said : c.json(said as object, answer.status)
    }
    this.app.openapi(described, serve as never)
  }
}
