// Limits the requests and tokens of each scope within a time window.
import { ModelError } from '@keepsake/text'

const DAY_MS = 24 * 60 * 60 * 1000
/** From this number of time windows in memory on, a new window first removes those that have ended. */
const MIN_WINDOWS_TO_CLEAN = 1000

/** Limits of one scope within a time window, in one process. */
export interface ModelBudget {
  /** Maximum number of requests, including failed ones. */
  calls?: number
  /** Maximum tokens of input and output. Estimated if the provider does not count them. */
  tokens?: number
  /** The window begins with the scope's first request. Default: 24 hours. */
  windowMs?: number
}

/** The requests and tokens of a scope until a time. */
interface TimeWindow {
  readonly endsAt: number
  calls: number
  tokens: number
}

/** Counts the requests and tokens of each scope, and refuses requests beyond the budget. */
export class CallBudget {
  readonly #budget: ModelBudget | undefined
  readonly #windows = new Map<string, TimeWindow>()

  constructor(budget: ModelBudget | undefined) {
    this.#budget = budget
  }

  /** Counts a request before it is sent. @throws ModelError `model-budget` when the scope's budget is spent */
  startCall(scope: string, now: number): void {
    if (this.#budget === undefined) return
    const { calls = Infinity, tokens = Infinity } = this.#budget
    const window = this.#windowOf(scope, now)
    if (window.calls >= calls) throw budgetError(`${calls} calls`, window, now)
    if (window.tokens >= tokens) throw budgetError(`${tokens} tokens`, window, now)
    window.calls++
  }

  /** Counts the tokens of an answer. They are known after the answer only, so the last answer may exceed the budget. */
  spendTokens(scope: string, tokens: number, now: number): void {
    if (this.#budget !== undefined) this.#windowOf(scope, now).tokens += tokens
  }

  #windowOf(scope: string, now: number): TimeWindow {
    const current = this.#windows.get(scope)
    if (current !== undefined && now < current.endsAt) return current
    if (this.#windows.size >= MIN_WINDOWS_TO_CLEAN)
      for (const [id, { endsAt }] of this.#windows) if (now >= endsAt) this.#windows.delete(id)
    const window: TimeWindow = { endsAt: now + (this.#budget?.windowMs ?? DAY_MS), calls: 0, tokens: 0 }
    this.#windows.set(scope, window)
    return window
  }
}

function budgetError(limit: string, { endsAt }: TimeWindow, now: number): ModelError {
  return new ModelError(
    `The budget of ${limit} of this scope is spent until ${new Date(endsAt).toISOString()}. Raise it, or wait.`,
    { code: 'model-budget', isRetryable: true, retryAfterMs: endsAt - now },
  )
}
