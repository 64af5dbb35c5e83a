import type { CountTokens, ScopeKey } from 'keepsake'
import { given } from '@keepsake/text/names'

/** Options of chats through the proxies. */
export interface ChatOptions {
  /** Whether to refuse chats without a user. Default: `true` where keys are needed, since the owner pays for the upstream. */
  readonly requireUser?: boolean
  /** Milliseconds to wait for the recall before the chat continues without it; `Infinity`: no limit. Default: 1,500. */
  readonly recallTimeoutMs?: number
  /** Maximum milliseconds to hold an answer's beginning and end back until question and answer are remembered. Default: 10,000. */
  readonly rememberTimeoutMs?: number
  /** Token budget of the recalled context, unless the request sets one; 0: no recall. Default: 1,000. */
  readonly contextTokens?: number
  /** Counts those tokens. Default: an estimate. */
  readonly countTokens?: CountTokens
  /** Upstream calls a day for keys without a limit of their own. Default: unlimited. */
  readonly upstreamPerDay?: number | null
  /** Tracks exchanges being remembered, so that a shutdown can wait for them. */
  readonly pending?: PendingWork
}

export type ChatSettings = Required<Omit<ChatOptions, 'countTokens'>> & Pick<ChatOptions, 'countTokens'>

export function readChatOptions(options: ChatOptions): ChatSettings {
  const defaults = {
    requireUser: false,
    recallTimeoutMs: 1_500,
    rememberTimeoutMs: 10_000,
    contextTokens: 1_000,
    upstreamPerDay: null,
    pending: new PendingWork(),
  }
  return { ...defaults, ...given(options) }
}

/** Work that continues after an answer was sent. A shutdown waits for it before it closes the memory. */
export class PendingWork {
  readonly #work = new Map<Promise<void>, string>()

  get size(): number {
    return this.#work.size
  }

  /** Tracks a user's work until it ends. Errors are reported elsewhere. */
  add(user: ScopeKey, work: Promise<unknown>): void {
    const ended: Promise<void> = work.then(
      () => void this.#work.delete(ended),
      () => void this.#work.delete(ended),
    )
    this.#work.set(ended, userKey(user))
  }

  /** Waits for the pending work of a user. Never rejects. */
  async settled(user: ScopeKey): Promise<void> {
    const key = userKey(user)
    await Promise.all([...this.#work].flatMap(([work, workKey]) => (workKey === key ? [work] : [])))
  }

  /** Waits until no work is pending, including work added meanwhile. Never rejects. */
  async drain(): Promise<void> {
    while (this.#work.size > 0) await Promise.all(this.#work.keys())
  }
}

function userKey({ tenant = 'default', user }: ScopeKey): string {
  return JSON.stringify([tenant, user])
}
