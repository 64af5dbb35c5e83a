import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { KeepsakeError, TurnConflictError, type Keepsake, type ScopeKey, type TurnInput } from 'keepsake'
import { newMessages, type ChatMessage } from './chat-protocol.ts'

/** What was said, and to whom. */
interface Exchange {
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
 * was remembered before, by the first step, an earlier request or the same one sent again, is not stored again.
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

/** Where a talk goes on. */
export interface TalkPlace {
  readonly scope: ScopeKey
  readonly session: string
  /** What the upstream keeps of the talk so far, by its id; `null` or absent: all of it stands in the request. */
  readonly continues?: string | null
}

/** Milliseconds since 1970. */
interface ExchangeTimes {
  readonly asked: number
  readonly answered: number
}

/**
 * An exchange as turns: what the user said since the agent's last answer, and the answer, where there is one.
 *
 * A turn's id is drawn from where and after what it was said: scope, session, and every utterance before it. A request sent
 * again makes the same ids, so nothing is stored twice; the same words later in a talk make others. The answer's id leaves out
 * its words: of two answers to the same request the first stays.
 *
 * @param answer `null`: none came, or not to its end.
 */
export function chatTurns(
  place: TalkPlace,
  messages: readonly ChatMessage[],
  answer: string | null,
  at: ExchangeTimes,
): readonly TurnInput[] {
  const { scope, session, continues = null } = place
  const fresh = new Set(newMessages(messages))
  // Where the upstream keeps the talk, a request may bring nothing but what tools gave: the answer is to what was asked before.
  if (fresh.size === 0 && continues === null) return []
  const where = [scope.tenant ?? 'default', scope.user, scope.agent ?? null, scope.app ?? null, session]
  let talk = digest(continues === null ? where : [...where, continues])
  const turns: TurnInput[] = []
  for (const [index, { by, text, name }] of messages.entries()) {
    if (by === 'other' || text.trim() === '') continue
    talk = digest([talk, by, name, text])
    if (fresh.has(index)) {
      const speaker = name === null ? {} : { speaker: name }
      turns.push({ role: 'user', text, id: turnId(talk), at: at.asked, ...speaker })
    }
  }
  if (answer !== null && answer.trim() !== '')
    turns.push({ role: 'agent', text: answer, id: turnId(digest([talk, 'answer'])), at: at.answered })
  return turns
}

function digest(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** 128 bits are enough to tell turns of one person apart. */
function turnId(talk: string): string {
  return `chat-${talk.slice(0, 32)}`
}

/** What an exchange needs while its answer is on the way. */
interface HeldExchangeOptions {
  readonly exchange: ExchangeRecord
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called when the exchange could not be remembered in the end. */
  readonly report: (error: unknown) => void
  /** Waits for work as long as an answer may be held for it. Never rejects. */
  readonly wait: (work: Promise<unknown>) => Promise<void>
}

/** An exchange being remembered while its answer passes through. Its steps never fail; the answer is held while they last. */
export class HeldExchange {
  readonly #options: HeldExchangeOptions
  #isAskedKept: Promise<boolean> = Promise.resolve(false)

  constructor(options: HeldExchangeOptions) {
    this.#options = options
  }

  /** Keeps what the user said. Should that fail, the second step tries it again. */
  async asked(): Promise<void> {
    const { exchange, wait } = this.#options
    this.#isAskedKept = exchange.rememberAsked().then(
      () => true,
      () => false,
    )
    await wait(this.#isAskedKept)
  }

  /**
   * Keeps the answer.
   *
   * @param answer `null`: none came, or not to its end
   * @param before what is to be done when the question is kept and before the answer is
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
