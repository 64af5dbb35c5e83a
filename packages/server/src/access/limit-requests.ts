import type { MiddlewareHandler } from 'hono'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Problem } from '../problem.ts'
import { asksModel, isImport } from '../protocols.ts'
import type { ServerEnv, ServerRequest } from '../server-context.ts'

/** What is left of a limit after a request. */
export interface Allowance {
  readonly isAllowed: boolean
  /** Requests, or bytes, in a window. */
  readonly limit: number
  readonly remaining: number
  /** Seconds until the next window begins. */
  readonly reset: number
}

const WINDOW_SECONDS = 60

/** Counts requests or bytes a minute by name, each name with a limit of its own. */
export interface RequestCounter {
  /** @param count 1 when absent */
  take(name: string, limit: number, count?: number): Promise<Allowance>
}

/** Counts in this process's memory. */
export class RequestLimits implements RequestCounter {
  /** Only counts; each name is compared with its own limit below. */
  readonly #counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS })

  async take(name: string, limit: number, count = 1): Promise<Allowance> {
    const { consumedPoints: taken, msBeforeNext } = await this.#counter.consume(name, count)
    return {
      isAllowed: taken <= limit,
      limit,
      remaining: Math.max(0, limit - taken),
      reset: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
    }
  }
}

/**
 * Limits the requests of one key that are worked on at a time, so that no key takes the whole process. Requests that wait for a
 * language model or stream a file do not count.
 *
 * @throws Problem 429 `too-many-at-once`
 */
export function limitConcurrency(maxPerKey: number): MiddlewareHandler<ServerEnv> {
  const running = new Map<string, number>()
  return async (c, next) => {
    if (isLong(c)) return next()
    const { id } = c.get('grant')
    const count = running.get(id) ?? 0
    if (count >= maxPerKey) {
      const detail = `This key has ${maxPerKey} requests under way. Wait for an answer before sending more.`
      throw new Problem(429, 'too-many-at-once', detail, { retryAfter: 1 })
    }
    running.set(id, count + 1)
    try {
      await next()
    } finally {
      const left = (running.get(id) ?? 1) - 1
      if (left === 0) running.delete(id)
      else running.set(id, left)
    }
  }
}

function isLong(c: ServerRequest): boolean {
  return asksModel(c.get('protocol')) || c.req.path.endsWith('/reply') || isImport(c.req)
}
