import type { CountTokens, ScopeKey } from 'keepsake'
import { given } from '@keepsake/text/names'

/** How chats through the proxies are answered and remembered. */
export interface ChatOptions {
  /**
   * Refuses chats without a user instead of passing them on without memory. The default where keys are needed, since the server's owner
   * pays for the upstream.
   */
  readonly requireUser?: boolean
  /** Milliseconds to wait for the recall before the chat goes on without it; `Infinity`: no limit. 1,500 when absent. */
  readonly recallTimeoutMs?: number
  /**
   * Milliseconds to hold an answer until it is remembered: its beginning for the question, its end for the answer. Then it is sent
   * regardless. 10,000 when absent.
   */
  readonly rememberTimeoutMs?: number
  /** Token budget of the recalled context unless the request sets one; 0: no recall. 1,000 when absent. */
  readonly contextTokens?: number
  /** Counts those tokens; an estimate when absent. */
  readonly countTokens?: CountTokens
  /** Upstream calls a day for keys without a limit of their own; unlimited when absent. */
  readonly upstreamPerDay?: number | null
  /** Tracks exchanges being remembered, so that a shutdown can wait for them. */
  readonly pending?: PendingWork
}

/** The settings with their defaults. */
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
 * Work that continues after an answer was sent: exchanges being remembered. A shutdown waits for it before it
 * closes the memory.
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

  /** The number of pending tasks. */
  get size(): number {
    return this.#work.size
  }

  /**
   * Tracks work until it ends. Its errors are reported elsewhere.
   *
   * @param whose the user it is done for, see {@link settled}.
   */
  add(whose: ScopeKey, work: Promise<unknown>): void {
    const ended: Promise<void> = work.then(
      () => void this.#work.delete(ended),
      () => void this.#work.delete(ended),
    )
    this.#work.set(ended, personKey(whose))
  }

  /** Waits for the pending work of a user. Never rejects. */
  async settled(person: ScopeKey): Promise<void> {
    const key = personKey(person)
    await Promise.all([...this.#work].flatMap(([work, whose]) => (whose === key ? [work] : [])))
  }

  /** Waits until no work is pending, including work added meanwhile. Never rejects. */
  async drain(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work.keys())
  }
}

function personKey({ tenant = 'default', user }: ScopeKey): string {
  return JSON.stringify([tenant, user])
}
