import { z } from '@hono/zod-openapi'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import type { Keepsake, ScopedMemory, ScopeKey } from 'keepsake'
import { given } from '@keepsake/text/names'
import { requireGrant } from '../access/access.ts'
import type { Action } from '../access/grant.ts'
import type { ServerEnv } from '../server-context.ts'
import { invalidField, invalidRequest } from './refuse-invalid.ts'
import { idSchema, optionalParam } from './schemas/fields.ts'

export interface ScopeEnv {
  Variables: ServerEnv['Variables'] & { memory: ScopedMemory }
}

/** The path's `{user}`. A blank one means that the query names the user. */
export const userPath = z.object({
  user: z.string().openapi({
    param: {
      description:
        'The user, percent-encoded. An address cannot contain the names `.` and `..`: for these write `%20` here, and the name as the query parameter `user`.',
    },
    example: 'ana',
  }),
})

/** Query fields that name a user. */
export const userQuery = z.strictObject({
  tenant: optionalParam(idSchema, 'The default is `default`.'),
  user: optionalParam(idSchema, 'The user, if the path has `%20`.'),
})

/** Query fields that name a scope. */
export const scopeQuery = userQuery.extend({
  agent: optionalParam(
    idSchema,
    'Only the scopes that this agent sees. The default is all scopes of the user.',
  ),
  app: optionalParam(idSchema, 'Only the scopes that this app sees.'),
})

const keyQuery = z.object(scopeQuery.shape)

/** Opens the request's scope as `c.get('memory')` before the body is validated. @throws Problem 403, 422 */
export function openScope(keepsake: Keepsake, actions: readonly Action[]): MiddlewareHandler<ScopeEnv> {
  return async (c, next) => {
    const key = readKey(c.req)
    for (const action of actions) requireGrant(c.get('grant'), action, key)
    c.set('memory', keepsake.scope(key))
    c.set('about', key)
    await next()
  }
}

function readKey(request: HonoRequest): ScopeKey {
  const query = Object.fromEntries(
    Object.entries(request.queries()).map(([name, values]) => [
      name,
      values.length === 1 ? values[0] : values,
    ]),
  )
  const parsed = keyQuery.safeParse(query)
  if (!parsed.success) throw invalidRequest('query', parsed.error)
  const { tenant, agent, app, user: userInQuery } = parsed.data
  return { user: readUser(request.param('user') ?? '', userInQuery), ...given({ tenant, agent, app }) }
}

function readUser(inPath: string, inQuery: string | undefined): string {
  const isBlank = inPath.trim() === ''
  if (isBlank && inQuery !== undefined) return inQuery
  if (isBlank)
    throw invalidField(
      'path.user',
      'is blank: name the user here or, for "." and "..", as the query parameter user',
    )
  if (inQuery !== undefined)
    throw invalidField('query.user', 'names a second user: leave it out, or write %20 in the path')
  const user = idSchema.safeParse(inPath)
  if (!user.success) throw invalidField('path.user', user.error.issues[0]?.message ?? 'is no name')
  return user.data
}
