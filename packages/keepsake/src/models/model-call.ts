import type { ModelTask } from './model-task.ts'
import type { EventScope } from '../scopes/scope.ts'

/** The outcome of a call: a usable answer, at once or repaired; none (`unusable`, `refused`); or a failure. */
export type ModelCallOutcome =
  'answered' | 'repaired' | 'unusable' | 'refused' | 'failed' | 'timed-out' | 'over-budget' | 'aborted'

/** The outcome and cost of a call, without its content. */
export interface ModelCall {
  /** The prompt and its version: `segment/1`. */
  readonly prompt: string
  readonly model: string
  /** Its task; absent outside a memory. */
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
  /** Omitted entries of a partly usable answer, with their place and problem. Absent when there are none. */
  readonly leftOut?: readonly string[]
}
