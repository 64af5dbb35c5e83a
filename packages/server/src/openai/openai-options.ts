import type { CountTokens } from 'keepsake'
import { PendingWork } from '../serving/pending-work.ts'

/** Settings of the door for OpenAI's clients. */
export interface OpenaiOptions {
  /** `true`: a chat that names no user is refused instead of being passed on without memory. */
  readonly requireUser?: boolean
  /** How long a chat waits for what is remembered, in milliseconds; then it goes on without. 1,500 when absent. */
  readonly recallTimeoutMs?: number
  /** What the recalled context may cost where a request does not say; 0: nothing is recalled. 1,000 when absent. */
  readonly contextTokens?: number
  /** Counts those tokens; an estimate when absent. */
  readonly countTokens?: CountTokens
  /** Told of every exchange that is being remembered, so that a shutdown can wait for it. */
  readonly pending?: PendingWork
}

/** The settings with what stands where nothing is said. */
export interface OpenaiSettings {
  readonly requireUser: boolean
  readonly recallTimeoutMs: number
  readonly contextTokens: number
  readonly countTokens: CountTokens | undefined
  readonly pending: PendingWork
}

const RECALL_TIMEOUT_MS = 1_500
const CONTEXT_TOKENS = 1_000

export function readOpenaiOptions(options: OpenaiOptions): OpenaiSettings {
  return {
    requireUser: options.requireUser ?? false,
    recallTimeoutMs: options.recallTimeoutMs ?? RECALL_TIMEOUT_MS,
    contextTokens: options.contextTokens ?? CONTEXT_TOKENS,
    countTokens: options.countTokens,
    pending: options.pending ?? new PendingWork(),
  }
}
