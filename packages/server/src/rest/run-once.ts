import { createHash } from 'node:crypto'
import type { Context, HonoRequest, MiddlewareHandler } from 'hono'
import type { ScopeKey } from 'keepsake'
import { Problem } from '../problem.ts'
import type { Action, Grant } from '../access/access.ts'
import type { ServerDeps, ServerEnv } from '../server-context.ts'
import { openScope, type ScopeEnv } from './open-scope.ts'

export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** Longest key taken, as the engine's names. */
const LONGEST_KEY = 255

/**
 * Answers a writing request that comes again under the same `Idempotency-Key` with what it was answered at first, and does
 * it no second time. Only for routes whose answers hold no text of a conversation: the answers are kept, and only erasing the
 * person reaches them.
 *
 * @param personOf whom a request concerns
 * @throws Problem 409 `idempotency-conflict` for another request under the key, `idempotency-busy` while the first is under way.
 */
export function runOnce<Env extends ServerEnv>(
  deps: ServerDeps,
  personOf?: (c: Context<Env>) => ScopeKey,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    const key = readKey(c.req)
    if (key === null) return next()
    const begun = await deps.idempotency.begin(c.get('grant').id, key, await fingerprint(c.req))
    if (begun.kind === 'replay') {
      const { status, body, contentType } = begun.answer
      return new Response(body, {
        status,
        headers: { 'Content-Type': contentType, 'Idempotency-Replayed': 'true' },
      })
    }
    if (begun.kind !== 'run') throw refusal(begun.kind)
    let answer = null
    try {
      await next()
      if (c.res.ok)
        answer = {
          status: c.res.status,
          body: await c.res.clone().text(),
          contentType: c.res.headers.get('content-type') ?? 'application/json',
        }
    } finally {
      await begun.finish(answer, personOf === undefined ? null : await ownerOf(deps, personOf(c)))
    }
  }
}

/** What stands before a route that changes a scope: {@link openScope}, then {@link runOnce}. */
export function onceIn(
  deps: ServerDeps,
  action: Action,
): [MiddlewareHandler<ScopeEnv>, MiddlewareHandler<ScopeEnv>] {
  return [openScope(deps.keepsake, action), runOnce(deps, (c) => c.get('memory').key)]
}

/** The person's row; `null` when nothing is kept of them. */
async function ownerOf(
  { keepsake }: ServerDeps,
  { tenant = 'default', user }: ScopeKey,
): Promise<number | null> {
  return (await keepsake.scopes({ tenant, user }))[0]?.owner ?? null
}

/** The id that the engine takes for a request's turns: after a crash, the same request stores none of them twice. */
export function requestIdFor(grant: Grant, request: HonoRequest): string | null {
  const key = readKey(request)
  return key === null ? null : `request-${hash(JSON.stringify([grant.id, key])).slice(0, 32)}`
}

function readKey(request: HonoRequest): string | null {
  const key = request.header(IDEMPOTENCY_HEADER)
  if (key === undefined) return null
  if (key.trim() !== '' && key.length <= LONGEST_KEY) return key
  const problem = `must be 1 to ${LONGEST_KEY} characters long`
  throw new Problem(
    422,
    'invalid-input',
    `The request cannot be taken: header.${IDEMPOTENCY_HEADER} ${problem}.`,
    {
      fields: [{ field: `header.${IDEMPOTENCY_HEADER}`, problem }],
    },
  )
}

async function fingerprint(request: HonoRequest): Promise<string> {
  const { pathname, search } = new URL(request.raw.url)
  return hash(JSON.stringify([request.method, pathname, search, await request.text()]))
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function refusal(kind: 'conflict' | 'busy'): Problem {
  if (kind === 'busy')
    return new Problem(
      409,
      'idempotency-busy',
      'The same request is still under way. Ask again in a moment.',
      {
        retryAfter: 1,
      },
    )
  return new Problem(
    409,
    'idempotency-conflict',
    'Another request was made under this Idempotency-Key. Nothing was changed: give each request a key of its own.',
    { fields: [{ field: `header.${IDEMPOTENCY_HEADER}`, problem: 'belongs to another request' }] },
  )
}
