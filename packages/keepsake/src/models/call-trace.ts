import type { EventScope } from '../scopes/scope.ts'
import { ModelError } from '@keepsake/text'
import type { TokenUsage } from './language-model.ts'
import type { ModelCall, ModelCallOutcome } from './model-call.ts'

/** What is known of a question before it is asked. */
export type TracedQuestion = Pick<ModelCall, 'prompt' | 'model' | 'task'> & { readonly scope: EventScope }

/** Follows one question through its tries, and tells once how it ended. */
export class CallTrace {
  /** Requests sent so far. */
  attempts = 0
  /** What each answer cost. */
  readonly answers: TokenUsage[] = []
  readonly question: TracedQuestion
  readonly #startedAt: number
  readonly #tell: ((call: ModelCall) => void) | undefined

  constructor(question: TracedQuestion, tell: ((call: ModelCall) => void) | undefined) {
    this.question = question
    // Not the application's clock, which may stand still in a simulation: how long it really took.
    this.#startedAt = performance.now()
    this.#tell = tell
  }

  /** @param leftOut see `ModelCall` */
  end(outcome: ModelCallOutcome, leftOut: readonly string[] = []): void {
    const tell = this.#tell
    if (tell === undefined) return
    const call: ModelCall = {
      ...this.question,
      outcome,
      attempts: this.attempts,
      inputTokens: total(this.answers.map(({ input }) => input)),
      outputTokens: total(this.answers.map(({ output }) => output)),
      milliseconds: Math.round(performance.now() - this.#startedAt),
      ...(leftOut.length === 0 ? {} : { leftOut }),
    }
    // Apart from the work, so that a listener that throws cannot take the answer along.
    queueMicrotask(() => tell(call))
  }
}

/** How a question ended that ended with an error. */
export function outcomeOf(error: unknown, signal: AbortSignal | undefined): ModelCallOutcome {
  if (signal?.aborted) return 'aborted'
  if (!(error instanceof ModelError)) return 'failed'
  if (error.code === 'model-budget') return 'over-budget'
  if (error.details['reason'] === 'refused') return 'refused'
  if (error.details['reason'] === 'timed-out') return 'timed-out'
  return error.code === 'model-answer' ? 'unusable' : 'failed'
}

/** A sum with an unknown part is unknown. */
function total(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 || known.length < counts.length
    ? null
    : known.reduce((sum, count) => sum + count, 0)
}
