import { RateLimiterMemory } from 'rate-limiter-flexible'

/** What is left of a limit after a request. */
export interface Allowance {
  readonly isAllowed: boolean
  /** Requests in a window. */
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window begins anew. */
  readonly reset: number
}

const WINDOW_SECONDS = 60

/** Counts requests, or what they bring, a minute, by name, each name with a limit of its own. */
export interface RequestCounter {
  /** Counts one more, or so many. */
  take(name: string, limit: number, count?: number): Promise<Allowance>
}

/** Counts in this process's memory. */
export class RequestLimits implements RequestCounter {
  /** It counts alone: each name is compared with a limit of its own here. */
  readonly #counter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS })

  /** Counts one more, or so many. */
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
