import type { HonoRequest, MiddlewareHandler } from 'hono'
import type { Keepsake, ScopeKey } from 'keepsake'
import type { ServerDeps, ServerEnv } from '../server-context.ts'
import { hashOf, idempotencyRefusal, readIdempotencyKey } from './idempotency-key.ts'
import type { StoredAnswer } from './request-store.ts'

/**
 * Answers a writing request that comes again under the same `Idempotency-Key` with what it was answered at first, and does
 * it no second time. Of routes whose answers hold words, handlers set `about`: it goes with any erasure of that person's.
 *
 * @throws Problem 409 `idempotency-conflict` for another request under the key, `idempotency-busy` while the first is under way.
 */
export function runOnce(deps: ServerDeps): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const key = readIdempotencyKey(c.req)
    if (key === null) return next()
    const begun = await deps.idempotency.begin(c.get('grant').id, key, await fingerprint(c.req))
    if (begun.kind === 'replay') return replay(begun.answer)
    if (begun.kind !== 'run') throw idempotencyRefusal(begun.kind)
    let answer = null
    try {
      await next()
      if (c.res.ok) answer = await readAnswer(c.res.clone())
    } finally {
      await begun.finish(answer, () => ownerOf(deps.keepsake, c.var.about))
    }
  }
}

/** An answer that was given before. */
export function replay({ status, body, headers }: StoredAnswer): Response {
  return new Response(body, { status, headers: { ...headers, 'Idempotency-Replayed': 'true' } })
}

async function readAnswer(response: Response): Promise<StoredAnswer> {
  const contentType = response.headers.get('content-type') ?? 'application/json'
  return { status: response.status, body: await response.text(), headers: { 'content-type': contentType } }
}

/** The person whom a request concerns; `null` when it concerns nobody, or nothing is kept of them. */
export async function ownerOf(keepsake: Keepsake, key: ScopeKey | undefined): Promise<number | null> {
  if (key === undefined) return null
  const { tenant = 'default', user } = key
  return (await keepsake.scopes({ tenant, user, limit: 1 }))[0]?.owner ?? null
}

async function fingerprint(request: HonoRequest): Promise<string> {
  const { pathname, search } = new URL(request.raw.url)
  return hashOf([request.method, pathname, search, await request.text()])
}
