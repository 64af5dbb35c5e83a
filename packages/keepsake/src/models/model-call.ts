import type { ModelTask } from './model-task.ts'
import type { EventScope } from '../scopes/scope.ts'

/**
 * How a question to the language model ended: with a usable answer at once or after the one repair; with none
 * (`unusable`, `refused`); or without an answer.
 */
export type ModelCallOutcome =
  'answered' | 'repaired' | 'unusable' | 'refused' | 'failed' | 'timed-out' | 'over-budget' | 'aborted'

/** What a question to the language model came to and cost. Holds nothing of what was asked or answered. */
export interface ModelCall {
  /** The prompt and its version: `segment/1`. */
  readonly prompt: string
  readonly model: string
  /** What it was asked for; absent where it was asked outside of a memory. */
  readonly task?: ModelTask
  readonly outcome: ModelCallOutcome
  /** Requests sent: tries and the repair included. 0 when the budget allowed none. */
  readonly attempts: number
  /** Tokens of all answers, as the provider counted them; `null` when it did not, or nothing was answered. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** From the question to its end, waiting included. */
  readonly milliseconds: number
  readonly scope: EventScope
  /**
   * What was left out of an answer that could be used in part: each entry's place, and what was wrong with its shape. Absent
   * when nothing was.
   */
  readonly leftOut?: readonly string[]
}
