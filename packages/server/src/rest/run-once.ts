import { createHash } from 'node:crypto'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import type { ScopedMemory, ScopeKey } from 'keepsake'
import { Problem } from '../problem.ts'
import type { Grant } from '../access/access.ts'
import type { ServerDeps, ServerEnv } from '../server-context.ts'
import type { StoredAnswer } from '../serving/request-store.ts'
import { invalidField } from './refuse-invalid.ts'

export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** A request that may be about one scope. */
interface MaybeScopeEnv {
  Variables: ServerEnv['Variables'] & { memory?: ScopedMemory }
}

/** Longest key taken, as the engine's names. */
const LONGEST_KEY = 255

/**
 * Answers a writing request that comes again under the same `Idempotency-Key` with what it was answered at first, and does
 * it no second time. Only for routes whose answers hold no text of a conversation: the answers are kept, and only erasing the
 * person reaches them.
 *
 * @throws Problem 409 `idempotency-conflict` for another request under the key, `idempotency-busy` while the first is under way.
 */
export function runOnce(deps: ServerDeps): MiddlewareHandler<MaybeScopeEnv> {
  return async (c, next) => {
    const key = readKey(c.req)
    if (key === null) return next()
    const begun = await deps.idempotency.begin(c.get('grant').id, key, await fingerprint(c.req))
    if (begun.kind === 'replay') return replay(begun.answer)
    if (begun.kind !== 'run') throw refusal(begun.kind)
    let answer = null
    try {
      await next()
      if (c.res.ok) answer = await readAnswer(c.res.clone())
    } finally {
      await begun.finish(answer, await ownerOf(deps, c.var.memory?.key))
    }
  }
}

function replay({ status, body, contentType }: StoredAnswer): Response {
  const headers = { 'Content-Type': contentType, 'Idempotency-Replayed': 'true' }
  return new Response(body, { status, headers })
}

async function readAnswer(response: Response): Promise<StoredAnswer> {
  const contentType = response.headers.get('content-type') ?? 'application/json'
  return { status: response.status, body: await response.text(), contentType }
}

/** The person whom a request concerns; `null` when it concerns nobody, or nothing is kept of them. */
async function ownerOf({ keepsake }: ServerDeps, key: ScopeKey | undefined): Promise<number | null> {
  if (key === undefined) return null
  const { tenant = 'default', user } = key
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
  throw invalidField(`header.${IDEMPOTENCY_HEADER}`, `must be 1 to ${LONGEST_KEY} characters long`)
}

async function fingerprint(request: HonoRequest): Promise<string> {
  const { pathname, search } = new URL(request.raw.url)
  return hash(JSON.stringify([request.method, pathname, search, await request.text()]))
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function refusal(kind: 'conflict' | 'busy'): Problem {
  if (kind === 'busy') {
    const detail = 'The same request is still under way. Ask again in a moment.'
    return new Problem(409, 'idempotency-busy', detail, { retryAfter: 1 })
  }
  return new Problem(
    409,
    'idempotency-conflict',
    'Another request was made under this Idempotency-Key. Nothing was changed: give each request a key of its own.',
    { fields: [{ field: `header.${IDEMPOTENCY_HEADER}`, problem: 'belongs to another request' }] },
  )
}
