import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import {
  KeepsakeError,
  NotFoundError,
  type Keepsake,
  type ScopedMemory,
  type ScopeKey,
  type Turn,
  type TurnInput,
} from 'keepsake'
import { newMessages, type ChatMessage } from './chat-protocol.ts'
import { compareHistory, type HistoryChanges, type HistoryMessage } from './compare-history.ts'

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
  /** Whether it replaces stored turns: then its words may be those of a turn that was replaced before. */
  #replaces = false

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
    return this.#tryAgain(() => this.#remember(answer, at))
  }

  async #remember(answer: string | null, at: ExchangeTimes): Promise<void> {
    const { scope, session, running = null, messages, continues } = this.#exchange
    this.#place ??= {
      scope,
      session: session ?? running ?? (await runningSession(this.#keepsake, scope, at.asked)),
      continues,
    }
    const memory = this.#keepsake.scope(scope)
    const own = { session: this.#place.session, exactScope: true }
    const stored = continues === null ? await memory.turns(own) : []
    const sent = readConversation(this.#place, messages)
    const history = compareHistory(stored.flatMap(asSpoken), sent.said, session !== null)
    const { turns, replaced } = chatTurns(sent, { messages, answer, history, stored, continues }, at)
    this.#replaces ||= replaced.length > 0 || history.answersAgain.length > 0
    const options = session === null ? {} : { session }
    if (this.#replaces) await rememberAgain(memory, turns, options)
    else if (turns.length > 0) await memory.remember(turns, options)
    await eraseTurns(memory, replaced)
    // An assistant that has just called tools goes on: its earlier words stay.
    if (answer === null || continues !== null || messages.at(-1)?.by !== 'user') return
    // Read again: of equal requests at once each erases the answers before its own, so that the last one stays.
    const now = (await memory.turns(own)).flatMap(asSpoken)
    const { answersAgain } = compareHistory(now, sent.said, session !== null)
    await eraseTurns(
      memory,
      answersAgain.slice(
        0,
        Math.max(
          0,
          answersAgain.findLastIndex((id) => id.startsWith(answerId(sent.talk, answer))),
        ),
      ),
    )
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

const asSpoken = ({ id, role, text }: Turn): HistoryMessage[] =>
  role === 'user' || role === 'assistant' ? [{ id, role, text }] : []

/**
 * Reads what the user and the assistant said in a request. A message's id is a hash of scope, session and all earlier messages, so a repeated
 * request makes the same ids and stores nothing twice.
 */
export function readConversation(
  { scope, session, continues = null }: TalkPlace,
  messages: readonly ChatMessage[],
): Conversation {
  const where = [scope.tenant ?? 'default', scope.user, scope.agent ?? null, scope.app ?? null, session]
  let talk = digest(continues === null ? where : [...where, continues])
  const said: SaidMessage[] = []
  for (const [index, { by, text, name }] of messages.entries()) {
    if (by === 'other' || text.trim() === '') continue
    const answer = answerId(talk, text)
    const before = talk
    // Ids of turns stay as they were when the role was called `agent`.
    const talkWith = (words: string): string =>
      digest([before, by === 'assistant' ? 'agent' : by, name, words])
    talk = talkWith(text)
    const place = { role: by, text, name, index }
    if (by === 'assistant') said.push({ ...place, id: answer })
    else said.push({ ...place, id: turnId(talk), idOf: (words) => turnId(talkWith(words)) })
  }
  return { said, talk }
}

/** A message of the user or the assistant, and its index in the request. */
interface SaidMessage extends HistoryMessage {
  readonly name: string | null
  readonly index: number
}

interface Conversation {
  readonly said: readonly SaidMessage[]
  /** Hash of all of it. */
  readonly talk: string
}

/** An exchange, and how it compares with what is stored. */
interface ComparedExchange {
  readonly messages: readonly ChatMessage[]
  /** `null`: none, or incomplete. */
  readonly answer: string | null
  readonly history: HistoryChanges
  readonly stored: readonly Turn[]
  /** See {@link TalkPlace}. */
  readonly continues: string | null
}

/**
 * Converts an exchange to turns: the user's words since the agent's last answer, the answer if there is one, and messages that the client edited.
 *
 * @returns the turns, and the ids of stored ones that they replace
 */
export function chatTurns(
  { said, talk }: Conversation,
  { messages, answer, history, stored, continues }: ComparedExchange,
  at: ExchangeTimes,
): { readonly turns: readonly TurnInput[]; readonly replaced: readonly string[] } {
  const fresh = new Set(newMessages(messages))
  // Where the upstream stores the conversation, a request may bring tool results only: it continues the
  // earlier question.
  if (fresh.size === 0 && continues === null) return { turns: [], replaced: [] }
  const turns: TurnInput[] = []
  for (const [number, { id, role, text, name, index }] of said.entries()) {
    const [old] = history.edited.get(number) ?? []
    if (history.stored.has(number) || (!fresh.has(index) && old === undefined)) continue
    const time = fresh.has(index) ? at.asked : (stored.find((turn) => turn.id === old)?.at ?? at.asked)
    const { attachments = [], words = text } = messages[index] ?? {}
    const spoken = attachments.length === 0 ? { text } : { text: words, attachments }
    turns.push({ role, ...spoken, id, at: time, ...(name === null ? {} : { speaker: name }) })
  }
  const edited = [...history.edited.values()].flat()
  if (answer === null || answer.trim() === '') return { turns, replaced: edited }
  turns.push({ role: 'assistant', text: answer, id: answerId(talk, answer), at: at.answered })
  return { turns, replaced: edited }
}

/** Stores turns. One that was replaced before, and is said again, gets an id of its own: an erased id stays erased. */
async function rememberAgain(
  memory: ScopedMemory,
  turns: readonly TurnInput[],
  options: { readonly session?: string },
): Promise<void> {
  let open = turns
  for (let time = 2; open.length > 0; time++) {
    const { added } = await memory.remember(open, options)
    if (added === open.length) return
    const stored = await memory.turns({ ids: open.flatMap(({ id }) => id ?? []) })
    const ids = new Set(stored.map(({ id }) => id))
    const erased = open.filter(({ id = '' }) => !ids.has(id))
    open = erased.map((turn) => ({ ...turn, id: `${(turn.id ?? '').replace(/~\d+$/, '')}~${time}` }))
  }
}

async function eraseTurns(memory: ScopedMemory, turns: readonly string[]): Promise<void> {
  for (const turn of turns)
    await memory.erase({ turns: [turn] }).catch((error: unknown) => {
      // An equal request erased it first.
      if (!(error instanceof NotFoundError)) throw error
    })
}

const answerId = (talk: string, answer: string): string => turnId(digest([talk, 'answer', answer]))

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
