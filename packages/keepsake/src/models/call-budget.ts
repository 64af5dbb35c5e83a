import { ModelError } from '@keepsake/text'

const DAY_MS = 24 * 60 * 60 * 1000
/** From this many windows, ended ones are removed first. */
const SWEEP_FROM = 1000

/** Limits of one scope in a time window, per process. */
export interface ModelBudget {
  /** Requests sent, those that failed included. */
  calls?: number
  /** Input and output together. Estimated where the provider does not count. */
  tokens?: number
  /** The window begins with the scope's first request. Default: 24 hours. */
  windowMs?: number
}

interface Window {
  readonly endsAt: number
  calls: number
  tokens: number
}

/** Keeps account of what each scope has spent. */
export class CallBudget {
  readonly #budget: ModelBudget | undefined
  readonly #windows = new Map<string, Window>()

  constructor(budget: ModelBudget | undefined) {
    this.#budget = budget
  }

  /**
   * Counts a request that is about to be sent.
   * @throws ModelError `model-budget`, and nothing is counted, when the scope has none left.
   */
  startCall(scope: string, now: number): void {
    if (this.#budget === undefined) return
    const { calls = Infinity, tokens = Infinity } = this.#budget
    const window = this.#windowOf(scope, now)
    if (window.calls >= calls) throw spent(`${calls} calls`, window, now)
    if (window.tokens >= tokens) throw spent(`${tokens} tokens`, window, now)
    window.calls++
  }

  /** Counts what an answer cost. Only then is it known, so that the last answer may go over the budget. */
  spendTokens(scope: string, tokens: number, now: number): void {
    if (this.#budget !== undefined) this.#windowOf(scope, now).tokens += tokens
  }

  #windowOf(scope: string, now: number): Window {
    const known = this.#windows.get(scope)
    if (known !== undefined && now < known.endsAt) return known
    if (this.#windows.size >= SWEEP_FROM) {
      for (const [id, { endsAt }] of this.#windows) if (now >= endsAt) this.#windows.delete(id)
    }
    const window: Window = { endsAt: now + (this.#budget?.windowMs ?? DAY_MS), calls: 0, tokens: 0 }
    this.#windows.set(scope, window)
    return window
  }
}

function spent(what: string, { endsAt }: Window, now: number): ModelError {
  return new ModelError(
    `The budget of ${what} of this scope is spent until ${new Date(endsAt).toISOString()}. Raise it, or wait.`,
    { code: 'model-budget', isRetryable: true, retryAfterMs: endsAt - now },
  )
}
