import type { MiddlewareHandler } from 'hono'
import { Problem } from '../problem.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'
import { BODILESS } from './read-body.ts'
import { RequestLimits, type RequestCounter } from '../access/limit-requests.ts'

/** Bytes of a body of unknown length that are counted together: counting is a write where several processes share it. */
const COUNTED_TOGETHER = 1_000_000

/**
 * Counts what a key sends a minute: ten requests of a megabyte are more work than a thousand of a line. What says how long it is counts before
 * it is read: to read what is then refused is work, too, and others would wait for it.
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
    const { id, bytesPerMinute } = c.get('grant')
    const limit = bytesPerMinute ?? usual
    if (limit === null || BODILESS.has(c.req.method)) return next()
    const take = async (bytes: number): Promise<void> => {
      if (bytes === 0) return
      const { isAllowed, reset } = await counted.take(`${id}/bytes`, limit, bytes)
      if (isAllowed) return
      const detail = `This key may send ${limit} bytes a minute. Nothing was changed: wait, then go on.`
      throw new Problem(429, 'too-many-bytes', detail, { retryAfter: reset })
    }
    const declared = c.req.header('content-length')
    if (declared === undefined || c.req.header('transfer-encoding') !== undefined) countPieces(c, take)
    else await take(Number(declared))
    await next()
  }
}

/** What does not say beforehand how long it is counts as it comes, and fails where it is too much. */
function countPieces(c: ServerRequest, take: (bytes: number) => Promise<void>): void {
  const { body, url, method, headers, signal } = c.req.raw
  if (body === null) return
  let uncounted = 0
  const count = async (): Promise<void> => {
    const bytes = uncounted
    uncounted = 0
    await take(bytes)
  }
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    async transform(piece, controller) {
      uncounted += piece.length
      if (uncounted >= COUNTED_TOGETHER) await count()
      controller.enqueue(piece)
    },
    flush: count,
  })
  const init = { method, headers, signal, body: body.pipeThrough(counting), duplex: 'half' }
  c.req.raw = new Request(url, init as unknown as RequestInit)
}
