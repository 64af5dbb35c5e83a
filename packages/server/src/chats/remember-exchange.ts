import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { KeepsakeError, TurnConflictError, type Keepsake, type ScopeKey, type TurnInput } from 'keepsake'
import { newMessages, type ChatMessage } from './chat-protocol.ts'

/** An exchange to remember. */
interface Exchange {
  readonly scope: ScopeKey
  /** `null`: the current session, split by silence. */
  readonly session: string | null
  /** The current session, where it was looked up before. */
  readonly running?: string | null
  /** The conversation that the client sent. */
  readonly messages: readonly ChatMessage[]
  /** See {@link TalkPlace}. */
  readonly continues: string | null
  /** Arrival of the question, milliseconds since 1970. */
  readonly asked: number
}

/** Milliseconds between retries when the store asks for them, after its own lock timeout. */
const WAITS = [250, 1_000]

/**
 * Remembers the new part of an exchange in two steps: the user's words since the agent's last answer, then the answer. Turns stored before,
 * by the first step or an earlier request, are not stored again.
 */
export class ExchangeRecord {
  readonly #keepsake: Keepsake
  readonly #exchange: Exchange
  /** Resolved once: a session that ends between the steps must not change the turn ids. */
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
   * Remembers the whole exchange.
   *
   * @param answer `null`: none, or incomplete
   * @param answered milliseconds since 1970
   * @throws KeepsakeError when the store cannot take it.
   */
  rememberAnswered(answer: string | null, answered: number): Promise<void> {
    const at = { asked: this.#exchange.asked, answered }
    return this.#tryAgain(async () => {
      try {
        await this.#remember(answer, at)
      } catch (error) {
        if (!(error instanceof TurnConflictError) || answer === null) throw error
        // The same request was answered before in other words; that answer stays.
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
 * The session that the engine will use when none is named: the last one unless closed or silent longer than the preset's gap, else a new
 * one. Turn ids depend on it, so that a greeting repeated on another day is a new turn.
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

/** Where a conversation continues. */
export interface TalkPlace {
  readonly scope: ScopeKey
  readonly session: string
  /** The id of the conversation that the upstream stores; `null` or absent: the request holds all of it. */
  readonly continues?: string | null
}

/** Milliseconds since 1970. */
interface ExchangeTimes {
  readonly asked: number
  readonly answered: number
}

/**
 * Converts an exchange to turns: the user's words since the agent's last answer, and the answer if there is one. A turn's id is a hash of
 * scope, session and all earlier utterances, so a repeated request makes the same ids and stores nothing twice. The answer's id leaves out
 * its words: the first of two answers to a request stays.
 *
 * @param answer `null`: none, or incomplete.
 */
export function chatTurns(
  place: TalkPlace,
  messages: readonly ChatMessage[],
  answer: string | null,
  at: ExchangeTimes,
): readonly TurnInput[] {
  const { scope, session, continues = null } = place
  const fresh = new Set(newMessages(messages))
  // Where the upstream stores the conversation, a request may bring tool results only: it continues the
  // earlier question.
  if (fresh.size === 0 && continues === null) return []
  const where = [scope.tenant ?? 'default', scope.user, scope.agent ?? null, scope.app ?? null, session]
  let talk = digest(continues === null ? where : [...where, continues])
  const turns: TurnInput[] = []
  for (const [index, { by, text, name }] of messages.entries()) {
    if (by === 'other' || text.trim() === '') continue
    // Ids of turns stay as they were when the role was called `agent`.
    talk = digest([talk, by === 'assistant' ? 'agent' : by, name, text])
    if (fresh.has(index)) {
      const speaker = name === null ? {} : { speaker: name }
      turns.push({ role: 'user', text, id: turnId(talk), at: at.asked, ...speaker })
    }
  }
  if (answer !== null && answer.trim() !== '')
    turns.push({ role: 'assistant', text: answer, id: turnId(digest([talk, 'answer'])), at: at.answered })
  return turns
}

function digest(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** 128 bits distinguish the turns of one user. */
function turnId(talk: string): string {
  return `chat-${talk.slice(0, 32)}`
}

/** What an exchange needs while its answer is on the way. */
interface HeldExchangeOptions {
  readonly exchange: ExchangeRecord
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called when the exchange finally could not be remembered. */
  readonly report: (error: unknown) => void
  /** Waits for work within the holding time. Never rejects. */
  readonly wait: (work: Promise<unknown>) => Promise<void>
}

/** Remembers an exchange while its answer passes through. Its steps never fail; the answer is held meanwhile. */
export class HeldExchange {
  readonly #options: HeldExchangeOptions
  #isAskedKept: Promise<boolean> = Promise.resolve(false)

  constructor(options: HeldExchangeOptions) {
    this.#options = options
  }

  /** Remembers the user's words. The second step retries a failure. */
  async asked(): Promise<void> {
    const { exchange, wait } = this.#options
    this.#isAskedKept = exchange.rememberAsked().then(
      () => true,
      () => false,
    )
    await wait(this.#isAskedKept)
  }

  /**
   * Remembers the answer.
   *
   * @param answer `null`: none, or incomplete
   * @param before runs after the question is remembered and before the answer is
   */
  async answered(answer: string | null, before: () => Promise<void>): Promise<void> {
    await this.#options.wait(this.#keepAnswer(answer, before))
  }

  async #keepAnswer(answer: string | null, before: () => Promise<void>): Promise<void> {
    const { exchange, now, report } = this.#options
    await this.#isAskedKept
    await before().catch(report)
    try {
      if ((await this.#isAskedKept) && answer === null) return
      await exchange.rememberAnswered(answer, now())
    } catch (error) {
      report(error)
    }
  }
}
