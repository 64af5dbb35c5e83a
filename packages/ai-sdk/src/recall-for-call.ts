import type { ScopedMemory } from 'keepsake'
import type { MemoryOptions } from './memory-options.ts'
import { memoryMessage } from './memory-message.ts'
import type { Talk } from './read-talk.ts'

const TOKENS = 1_000
const TIMEOUT_MS = 5_000
/** A pasted document is not a question: of longer words, so much of the beginning and of the end is asked. */
const LONGEST_QUESTION = 4_000
/** Answers under way at once through one model whose steps share what was recalled. */
const ANSWERS_KEPT = 256

/** What was recalled for answers under way, so that each step of a tool loop shows the model the same and asks once. */
export class RecalledMessages {
  readonly #messages = new Map<string, string | null>()

  get(digest: string): string | null | undefined {
    return this.#messages.get(digest)
  }

  set(digest: string, message: string | null): void {
    this.#messages.delete(digest)
    this.#messages.set(digest, message)
    const [oldest] = this.#messages.keys()
    if (this.#messages.size > ANSWERS_KEPT && oldest !== undefined) this.#messages.delete(oldest)
  }
}

/** A conversation as a recall reads it: what the user said last, and all that the model sees. */
export interface RecalledTalk extends Pick<Talk, 'shown'> {
  readonly said: readonly { readonly text: string }[]
  /** Whether it goes on with an answer that was begun, for which the same was recalled before. */
  readonly goesOn?: boolean
}

/** How memories are recalled for a call. */
export type CallRecallOptions = Pick<
  MemoryOptions,
  'tokens' | 'limit' | 'profile' | 'blocks' | 'timeZone' | 'speaker' | 'countTokens' | 'message' | 'timeoutMs'
>

/**
 * Recalls for a call of a model and returns the message that holds the memories; `null` when there are none.
 *
 * @throws what the recall throws, and `TimeoutError` after `timeoutMs`: the caller goes on without memory.
 * @example
 * const text = await recallForCall(scope, { said: [{ text: question }], shown: new Set([question]) }, { timeoutMs: 2_000 })
 */
export async function recallForCall(
  scope: ScopedMemory,
  talk: RecalledTalk,
  options: CallRecallOptions,
  abortSignal?: AbortSignal,
): Promise<string | null> {
  const question = questionOf(talk)
  if (question.trim() === '') return null
  const {
    tokens = TOKENS,
    limit,
    timeZone,
    speaker,
    countTokens,
    profile,
    blocks,
    timeoutMs = TIMEOUT_MS,
  } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  const recall = await orAborted(
    scope.recall(question, {
      tokens,
      excludeTexts: [...talk.shown],
      abortSignal: abortSignal === undefined ? timeout : AbortSignal.any([abortSignal, timeout]),
      ...(limit === undefined ? {} : { limit }),
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(speaker === undefined ? {} : { speaker }),
      ...(countTokens === undefined ? {} : { countTokens }),
      ...(profile === undefined ? {} : { profile }),
      ...(blocks === undefined ? {} : { blocks }),
      // A step of an answer that goes on asks the same again.
      ...(talk.goesOn === true ? { reinforce: false } : {}),
    }),
    timeout,
  )
  const { text } = recall.context
  return text === '' ? null : (options.message ?? memoryMessage)(text, recall)
}

function questionOf({ said }: RecalledTalk): string {
  const question = said.map(({ text }) => text).join('\n')
  if (question.length <= LONGEST_QUESTION) return question
  const half = LONGEST_QUESTION / 2
  return `${question.slice(0, half)}\n${question.slice(-half)}`
}

/** Waits no longer than the signal allows, whether or not the work heeds it. */
async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const give = () => reject(signal.reason)
  signal.addEventListener('abort', give, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', give)
  }
}
