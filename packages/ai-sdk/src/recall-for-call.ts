import type { ScopedMemory } from 'keepsake'
import { withoutUndefined, type MemoryOptions } from './memory-options.ts'
import { memoryMessage } from './memory-message.ts'

const DEFAULT_CONTEXT_TOKENS = 1_000
const DEFAULT_TIMEOUT_MS = 5_000
/** Maximum characters of a question. Longer texts, such as pasted documents, are cut to their beginning and end. */
const MAX_QUESTION_LENGTH = 4_000
/** Maximum of tool loops of one model that can reuse their recalled message at the same time. */
const MAX_CACHED_MESSAGES = 256

/** Caches recalled messages, so that all steps of a tool loop show the model the same one and recall once. */
export class RecalledMessageCache {
  readonly #messages = new Map<string, string | null>()

  get(digest: string): string | null | undefined {
    return this.#messages.get(digest)
  }

  set(digest: string, message: string | null): void {
    this.#messages.delete(digest)
    this.#messages.set(digest, message)
    const [oldest] = this.#messages.keys()
    if (this.#messages.size > MAX_CACHED_MESSAGES && oldest !== undefined) this.#messages.delete(oldest)
  }
}

/** The parts of a conversation that a recall needs. */
export interface RecalledTalk {
  /** The user's last messages: the question. */
  readonly said: readonly { readonly text: string }[]
  /** All texts that the model sees, each on one line. Recall leaves them out. */
  readonly shown: ReadonlySet<string>
  /** Whether the call is a later step of a tool loop, for which the same was recalled before. */
  readonly goesOn?: boolean
}

/** Options of a recall for a call. */
export type CallRecallOptions = Pick<
  MemoryOptions,
  'tokens' | 'limit' | 'profile' | 'blocks' | 'timeZone' | 'speaker' | 'countTokens' | 'message' | 'timeoutMs'
>

/** Recalls for a call; `null` when nothing is found. Throws errors of the recall and `TimeoutError`, after which a call can go on without memory. */
export async function recallForCall(
  scope: ScopedMemory,
  talk: RecalledTalk,
  options: CallRecallOptions,
  abortSignal?: AbortSignal,
): Promise<string | null> {
  const question = questionOf(talk)
  if (question.trim() === '') return null
  const { limit, timeZone, speaker, countTokens, profile, blocks } = options
  const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const recall = await waitUntilAborted(
    scope.recall(question, {
      ...withoutUndefined({ limit, timeZone, speaker, countTokens, profile, blocks }),
      tokens: options.tokens ?? DEFAULT_CONTEXT_TOKENS,
      excludeTexts: [...talk.shown],
      abortSignal: abortSignal === undefined ? timeout : AbortSignal.any([abortSignal, timeout]),
      // Later steps of a tool loop recall the same again, which is no new use of the memories.
      ...(talk.goesOn === true ? { reinforce: false } : {}),
    }),
    timeout,
  )
  const { text } = recall.context
  return text === '' ? null : (options.message ?? memoryMessage)(text, recall)
}

function questionOf({ said }: RecalledTalk): string {
  const question = said.map(({ text }) => text).join('\n')
  if (question.length <= MAX_QUESTION_LENGTH) return question
  const half = MAX_QUESTION_LENGTH / 2
  return `${question.slice(0, half)}\n${question.slice(-half)}`
}

/** Waits for a promise until the signal aborts, even if the work ignores the signal. */
async function waitUntilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
