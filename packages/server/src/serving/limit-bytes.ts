import type { MiddlewareHandler } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../server-context.ts'
import { BODILESS } from './read-body.ts'
import { RequestLimits, type RequestCounter } from '../access/limit-requests.ts'

/**
 * Counts what a key sends a minute: ten requests of a megabyte are more work than a thousand of a line.
 *
 * @param usual for keys that say nothing of their own; `null`: as much as they like
 * @param counted counts them; in this process alone when absent
 * @throws Problem 429 `too-many-bytes`
 */
export function limitBytes(
  usual: number | null,
  counted: RequestCounter = new RequestLimits(),
): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    if (BODILESS.has(c.req.method)) return next()
    const { id, bytesPerMinute } = c.get('grant')
    const limit = bytesPerMinute ?? usual
    const declared = Number(c.req.header('content-length') ?? 0)
    const bytes = c.req.path === '/v1/import' ? declared : (await c.req.arrayBuffer()).byteLength
    if (limit !== null && bytes > 0) {
      const { isAllowed, reset } = await counted.take(`${id}/bytes`, limit, bytes)
      if (!isAllowed) {
        const detail = `This key may send ${limit} bytes a minute. Nothing was changed: wait, then go on.`
        throw new Problem(429, 'too-many-bytes', detail, { retryAfter: reset })
      }
    }
    await next()
  }
}
