import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

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

/** Counts requests a minute, by name, each name with a limit of its own. In this process's memory. */
export class RequestLimits {
  /** A limiter for each limit there is: a limiter has one. */
  readonly #limiters = new Map<number, RateLimiterMemory>()

  /** Counts one more. */
  async take(name: string, limit: number): Promise<Allowance> {
    try {
      return allowance(limit, await this.#limiter(limit).consume(name), true)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused
      return allowance(limit, refused, false)
    }
  }

  #limiter(limit: number): RateLimiterMemory {
    const known = this.#limiters.get(limit)
    if (known !== undefined) return known
    const made = new RateLimiterMemory({ points: limit, duration: WINDOW_SECONDS })
    this.#limiters.set(limit, made)
    return made
  }
}

function allowance(limit: number, left: RateLimiterRes, isAllowed: boolean): Allowance {
  return {
    isAllowed,
    limit,
    remaining: left.remainingPoints,
    reset: Math.max(1, Math.ceil(left.msBeforeNext / 1_000)),
  }
}
