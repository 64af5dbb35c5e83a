import type { CountTokens } from 'keepsake'
import { given } from '../given.ts'
import { PendingWork } from '../serving/pending-work.ts'

/** Settings of the doors for clients of language models, OpenAI's and Anthropic's. */
export interface ChatOptions {
  /**
   * `true`: a chat that names no user is refused instead of being passed on without memory. Where keys are asked for it is so when absent:
   * the upstream is paid for by whoever serves.
   */
  readonly requireUser?: boolean
  /** How long a chat waits for what is remembered, in milliseconds; then it goes on without. `Infinity`: as long as it takes. 1,500 when absent. */
  readonly recallTimeoutMs?: number
  /**
   * How long an answer is held until it is remembered, in milliseconds: its beginning until the question is, its end until the answer
   * is. Then it goes on, and memory is left to catch up: only a memory that hangs takes so long. 10,000 when absent.
   */
  readonly rememberTimeoutMs?: number
  /** What the recalled context may cost where a request does not say; 0: nothing is recalled. 1,000 when absent. */
  readonly contextTokens?: number
  /** Counts those tokens; an estimate when absent. */
  readonly countTokens?: CountTokens
  /** Calls of the upstream a day for keys that say nothing of their own; as many as they like when absent. */
  readonly upstreamPerDay?: number | null
  /** Told of every exchange that is being remembered, so that a shutdown can wait for it. */
  readonly pending?: PendingWork
}

/** The settings with what stands where nothing is said. */
export type ChatSettings = Required<Omit<ChatOptions, 'countTokens'>> & Pick<ChatOptions, 'countTokens'>

export function readChatOptions(options: ChatOptions): ChatSettings {
  const usual = {
    requireUser: false,
    recallTimeoutMs: 1_500,
    rememberTimeoutMs: 10_000,
    contextTokens: 1_000,
    upstreamPerDay: null,
    pending: new PendingWork(),
  }
  return { ...usual, ...given(options) }
}
