import type { CountTokens, ScopeKey } from 'keepsake'
import { given } from '../given.ts'

/** Settings of OpenAI's and Anthropic's APIs. */
export interface ChatOptions {
  /**
   * `true`: a chat that names no user is refused instead of being passed on without memory. Where keys are asked for it is so when absent:
   * the server's owner pays for the upstream.
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
  /** Tracks exchanges that are being remembered, so that a shutdown can wait for them. */
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

/**
 * What goes on after an answer was sent: exchanges being remembered. A server that shuts down waits for it, after the
 * last answer was sent and before it closes the memory.
 *
 * @example
 * const pending = new PendingWork()
 * app.route('/v1', openaiRoutes(deps, { pending }))
 * // shutting down: connections are closed, then
 * await pending.drain()
 * await keepsake.close()
 */
export class PendingWork {
  readonly #work = new Map<Promise<void>, string>()

  /** Counts what is under way. */
  get size(): number {
    return this.#work.size
  }

  /**
   * Keeps track of work until it ends. Its errors are reported elsewhere.
   *
   * @param whose the person it is done for, see {@link settled}.
   */
  add(whose: ScopeKey, work: Promise<unknown>): void {
    const ended: Promise<void> = work.then(
      () => void this.#work.delete(ended),
      () => void this.#work.delete(ended),
    )
    this.#work.set(ended, personKey(whose))
  }

  /** Resolves when all that is under way for a person now has ended. Never rejects. */
  async settled(person: ScopeKey): Promise<void> {
    const key = personKey(person)
    await Promise.all([...this.#work].flatMap(([work, whose]) => (whose === key ? [work] : [])))
  }

  /** Resolves when nothing is under way any more, what was added meanwhile included. Never rejects. */
  async drain(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work.keys())
  }
}

function personKey({ tenant = 'default', user }: ScopeKey): string {
  return JSON.stringify([tenant, user])
}
