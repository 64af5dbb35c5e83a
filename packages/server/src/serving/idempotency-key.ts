import { createHash } from 'node:crypto'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import type { Keepsake, ScopeKey } from 'keepsake'
import type { Grant } from '../access/grant.ts'
import { Problem } from '../problem.ts'
import type { ServerDeps, ServerEnv } from '../server-context.ts'
import { type StoredAnswer, IDEMPOTENCY_HEADER, MAX_KEY_LENGTH } from './request-store.ts'

/** Reads the idempotency key; `null`: none. @throws Problem 422 when empty or too long. */
export function readIdempotencyKey(request: HonoRequest): string | null {
  const key = request.header(IDEMPOTENCY_HEADER)
  if (key === undefined) return null
  if (key.trim() !== '' && key.length <= MAX_KEY_LENGTH) return key
  const field = `header.${IDEMPOTENCY_HEADER}`
  const problem = `must be 1 to ${MAX_KEY_LENGTH} characters long`
  throw new Problem(422, 'invalid-input', `The request is invalid: ${field} ${problem}.`, {
    fields: [{ field, problem }],
  })
}

/** The engine's id for a request's turns: after a crash, the same request stores none of them twice. */
export function requestIdFor(grant: Grant, request: HonoRequest): string | null {
  const key = readIdempotencyKey(request)
  return key === null ? null : `request-${hashOf([grant.id, key]).slice(0, 32)}`
}

/** The refusal of a request under a used key. */
export function idempotencyRefusal(kind: 'conflict' | 'busy'): Problem {
  if (kind === 'busy') {
    const detail = 'The same request is still running. Try again in a moment.'
    return new Problem(409, 'idempotency-busy', detail, { retryAfter: 1 })
  }
  return new Problem(
    409,
    'idempotency-conflict',
    'This Idempotency-Key was used for another request. Nothing was changed. Use a new key for each request.',
    { fields: [{ field: `header.${IDEMPOTENCY_HEADER}`, problem: 'belongs to another request' }] },
  )
}

export function hashOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Answers a repeat under an `Idempotency-Key` with the first answer. Routes with texts set `about`, for erasing. @throws Problem 409 */
export function runOnce(deps: ServerDeps): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const key = readIdempotencyKey(c.req)
    if (key === null) return next()
    const started = await deps.idempotency.begin(c.get('grant').id, key, await fingerprint(c.req))
    if (started.kind === 'replay') return replay(started.answer)
    if (started.kind !== 'run') throw idempotencyRefusal(started.kind)
    let answer = null
    try {
      await next()
      if (c.res.ok) answer = await readAnswer(c.res.clone())
    } finally {
      await started.finish(answer, () => ownerOf(deps.keepsake, c.var.about))
    }
  }
}

export function replay({ status, body, headers }: StoredAnswer): Response {
  return new Response(body, { status, headers: { ...headers, 'Idempotency-Replayed': 'true' } })
}

async function readAnswer(response: Response): Promise<StoredAnswer> {
  const contentType = response.headers.get('content-type') ?? 'application/json'
  return { status: response.status, body: await response.text(), headers: { 'content-type': contentType } }
}

/** The user that a request concerns; `null` when none, or nothing is stored of them. */
export async function ownerOf(keepsake: Keepsake, key: ScopeKey | undefined): Promise<number | null> {
  if (key === undefined) return null
  const { tenant = 'default', user } = key
  return (await keepsake.scopes({ tenant, user, limit: 1 }))[0]?.owner ?? null
}

async function fingerprint(request: HonoRequest): Promise<string> {
  const { pathname, search } = new URL(request.raw.url)
  return hashOf([request.method, pathname, search, await request.text()])
}
