import { setTimeout as wait } from 'node:timers/promises'
import { KeepsakeError, TurnConflictError, type Keepsake, type ScopeKey } from 'keepsake'
import { chatTurns, type ExchangeTimes, type TalkPlace } from './chat-turns.ts'
import type { ChatMessage } from './chat-message.ts'

/** What was said, and to whom. */
export interface Exchange {
  readonly scope: ScopeKey
  /** `null`: the running one, split by silence. */
  readonly session: string | null
  /** The running one, where it was found before. */
  readonly running?: string | null
  /** The talk so far, as the client sent it. */
  readonly messages: readonly ChatMessage[]
  /** See {@link TalkPlace}. */
  readonly continues: string | null
  /** When the question came, milliseconds since 1970. */
  readonly asked: number
}

/** Waits between tries where the store asks to be tried again, in milliseconds. It has waited for its own lock before. */
const WAITS = [250, 1_000]

/**
 * Remembers what is new in an exchange, in two steps: what the user said since the agent's last answer, and then the answer. What
 * was remembered before, by the first step, an earlier request or the same one sent again, is not stored anew.
 */
export class ExchangeRecord {
  readonly #keepsake: Keepsake
  readonly #exchange: Exchange
  /** Found once: a session that ends between the steps must not make other turns of the same words. */
  #place: TalkPlace | null = null

  constructor(keepsake: Keepsake, exchange: Exchange) {
    this.#keepsake = keepsake
    this.#exchange = exchange
  }

  /** @throws KeepsakeError when the store cannot take it. */
  rememberAsked(): Promise<void> {
    const { asked } = this.#exchange
    return this.#tryAgain(() => this.#remember(null, { asked, answered: asked }))
  }

  /**
   * The whole exchange.
   *
   * @param answer `null`: none came, or not to its end
   * @param answered when, milliseconds since 1970
   * @throws KeepsakeError when the store cannot take it.
   */
  rememberAnswered(answer: string | null, answered: number): Promise<void> {
    const at = { asked: this.#exchange.asked, answered }
    return this.#tryAgain(async () => {
      try {
        await this.#remember(answer, at)
      } catch (error) {
        if (!(error instanceof TurnConflictError) || answer === null) throw error
        // The same request was answered before, in other words. That answer stays.
        await this.#remember(null, at)
      }
    })
  }

  async #remember(answer: string | null, at: ExchangeTimes): Promise<void> {
    const { scope, session, running = null, messages, continues } = this.#exchange
    this.#place ??= {
      scope,
      session: session ?? running ?? (await runningSession(this.#keepsake, scope, at.asked)),
      continues,
    }
    const turns = chatTurns(this.#place, messages, answer, at)
    if (turns.length === 0) return
    await this.#keepsake.scope(scope).remember(turns, session === null ? {} : { session })
  }

  async #tryAgain(step: () => Promise<void>): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return await step()
      } catch (error) {
        const pause = WAITS[tries]
        if (!(error instanceof KeepsakeError) || !error.isRetryable || pause === undefined) throw error
        await wait(pause)
      }
    }
  }
}

/**
 * The session that the engine will put a turn into when none is named: the last one while it is open and not silent for
 * longer than the preset's gap, else a new one. Known beforehand, since ids of turns rest on it: the same greeting on another
 * day is another turn.
 */
export async function runningSession(keepsake: Keepsake, scope: ScopeKey, at: number): Promise<string> {
  const { tenant = 'default', user, agent = null, app = null } = scope
  const rows = await keepsake.scopes({ tenant, user })
  const own = rows.find((row) => row.agent === agent && row.app === app)
  const sessions = own === undefined ? [] : await keepsake.scope(scope).sessions()
  const last = sessions.findLast((session) => session.scope === own?.scope)
  if (last === undefined) return 'session-1'
  const isOver = last.endedAt !== null || at - last.lastAt > keepsake.preset.sessionGap
  return isOver ? `session-${last.number + 1}` : last.id
}
