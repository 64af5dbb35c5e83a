import { setTimeout as wait } from 'node:timers/promises'
import { withoutThinking } from '@keepsake/text'
import {
  KeepsakeError,
  NotFoundError,
  type Keepsake,
  type ScopedMemory,
  type ScopeKey,
  type Turn,
  type TurnInput,
} from 'keepsake'
import {
  asksNextSpeaker,
  endsWithUser,
  newMessages,
  withoutLabel,
  type ChatMessage,
} from './chat-protocol.ts'
import {
  compareHistory,
  type HistoryChanges,
  type HistoryClient,
  type HistoryMessage,
} from './compare-history.ts'
import {
  answerId,
  idsInOtherWindows,
  readConversation,
  wasSentWithHistory,
  type Conversation,
  type IdContext,
} from './turn-ids.ts'

interface Exchange {
  readonly scope: ScopeKey
  /** The session that the client named; `null`: the current one. */
  readonly session: string | null
  /** The current session, when it was looked up before. */
  readonly currentSession?: string | null
  /** The conversation that the client sent. */
  readonly messages: readonly ChatMessage[]
  /** The assistant's message at the end of the request. */
  readonly answerPrefix: ChatMessage | null
  /** See {@link IdContext}. */
  readonly continuedId: string | null
  /** Arrival of the question, in milliseconds since 1970. */
  readonly askedAt: number
}

/** A chat's memory and its conversation, as it is compared with the stored one. */
interface ComparedChat {
  readonly context: IdContext
  readonly memory: ScopedMemory
  readonly conversation: Conversation
  readonly client: HistoryClient
}

/** Milliseconds before each retry of a retryable store error. */
const RETRY_DELAYS_MS = [250, 1_000]

/** Remembers an exchange in two steps: the user's new messages, then the answer. Turns of earlier requests are not stored again. */
export class ExchangeRecord {
  readonly #keepsake: Keepsake
  readonly #exchange: Exchange
  /** Found once, so that both steps use the same turn ids when the session ends between them. */
  #context: IdContext | null = null
  /** Whether a step has replaced stored turns. A new turn may then equal an erased one. */
  #hasReplaced = false
  /** Whether the first step found an edited message, which the second finds stored. */
  #hasEdited = false

  constructor(keepsake: Keepsake, exchange: Exchange) {
    this.#keepsake = keepsake
    this.#exchange = exchange
  }

  /** Remembers the user's new messages. @throws KeepsakeError when the store fails. */
  rememberQuestion(): Promise<void> {
    const { askedAt } = this.#exchange
    return this.#retry(() => this.#remember(null, { askedAt, answeredAt: askedAt }))
  }

  /** Remembers the whole exchange; without an answer (`null`) its messages. @throws KeepsakeError when the store fails */
  rememberAnswer(answer: string | null, answeredAt: number): Promise<void> {
    const at = { askedAt: this.#exchange.askedAt, answeredAt }
    return this.#retry(() => this.#remember(answer, at))
  }

  async #remember(answerText: string | null, at: ExchangeTimes): Promise<void> {
    const { scope, session, answerPrefix, continuedId } = this.#exchange
    const context = (this.#context ??= await this.#findContext())
    const memory = this.#keepsake.scope(scope)
    const stored = continuedId === null ? await storedTurns(memory, context) : []
    const isNextSpeaker = isOfNextSpeaker(this.#exchange, answerText, stored)
    const isPrefix = answerPrefix !== null && !isNextSpeaker
    const wholeAnswer = isPrefix && answerText !== null ? answerPrefix.textOnly + answerText : answerText
    // The id of an answer is made of what is stored of it.
    const answer = (wholeAnswer === null ? '' : withoutThinking(wholeAnswer)) || null
    const messages =
      answerPrefix === null || isPrefix ? this.#exchange.messages : [...this.#exchange.messages, answerPrefix]
    const conversation = readConversation(context, messages)
    const client = {
      isNamed: session !== null,
      isNextSpeaker,
      sendsHistory: session !== null && wasSentWithHistory(context, messages, stored),
      hasEdited: this.#hasEdited,
      otherIdsOf: (text: string) => idsInOtherWindows(context, messages, stored.map(toText), text),
    }
    const history = compareHistory(stored.flatMap(toHistoryMessages), conversation.messages, client)
    const { turns, replaced } = chatTurns(
      conversation,
      { messages, answer, history, stored, continuedId, isNextSpeaker },
      at,
    )
    const isToolStep = !isNextSpeaker && !endsWithUser(messages)
    const oldAnswers = isToolStep
      ? answersAfter(conversation.hash, stored)
      : this.#ownAnswers(history, stored, conversation.hash)
    this.#hasEdited ||= history.edited.size > 0
    this.#hasReplaced ||= replaced.length > 0 || oldAnswers.length > 0 || history.isRepeat
    const options = session === null ? {} : { session }
    if (this.#hasReplaced) await rememberWithNewIds(memory, turns, options)
    else if (turns.length > 0) await memory.remember(turns, options)
    await eraseTurns(memory, replaced)
    if (answer !== null && continuedId === null)
      await this.#eraseFormerAnswers(answer, isToolStep, { context, memory, conversation, client })
  }

  /** Erases former answers to the same messages. Of equal requests at the same time, each erases the answers before its own. */
  async #eraseFormerAnswers(
    answer: string,
    isToolStep: boolean,
    { context, memory, conversation, client }: ComparedChat,
  ): Promise<void> {
    const turns = await storedTurns(memory, context)
    const changes = compareHistory(turns.flatMap(toHistoryMessages), conversation.messages, client)
    const answers = isToolStep
      ? answersAfter(conversation.hash, turns)
      : this.#ownAnswers(changes, turns, conversation.hash)
    const ownId = answerId(conversation.hash, answer)
    const ownIndex = answers.findLastIndex((id) => id.startsWith(ownId))
    await eraseTurns(memory, answers.slice(0, Math.max(0, ownIndex)))
  }

  async #findContext(): Promise<IdContext> {
    const { scope, session, currentSession: knownSession, askedAt, continuedId } = this.#exchange
    const name = session ?? knownSession ?? (await currentSession(this.#keepsake, scope, askedAt))
    return { scope, session: name, continuedId }
  }

  /**
   * Returns the stored answers that a new answer replaces. Another chat of the user may have stored its answer behind this
   * question at the same time. So an answer belongs to this chat if its id shows it, or if it is older than the repeated question.
   */
  #ownAnswers({ answersAgain }: HistoryChanges, stored: readonly Turn[], hash: string): readonly string[] {
    const { session, askedAt } = this.#exchange
    if (session !== null) return answersAgain
    const answers = stored.filter(({ id }) => answersAgain.includes(id))
    const ownIds = new Set(answersAfter(hash, stored))
    const isOwn = ({ id }: Turn): boolean => ownIds.has(id)
    const isEarlier = ({ at }: Turn): boolean => at < askedAt
    const hasEarlierOwn = answers.some((turn) => isOwn(turn) && isEarlier(turn))
    // An answer whose secrets were masked has the id of the unmasked text, so only its time can show that it is older.
    return answers.filter((turn) => isOwn(turn) || (!hasEarlierOwn && isEarlier(turn))).map(({ id }) => id)
  }

  async #retry(step: () => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await step()
      } catch (error) {
        const delay = RETRY_DELAYS_MS[attempt]
        if (!(error instanceof KeepsakeError) || !error.isRetryable || delay === undefined) throw error
        await wait(delay)
      }
    }
  }
}

/** Returns the session that the engine will use. Turn ids contain it, so a greeting on another day is a new turn. */
export async function currentSession(keepsake: Keepsake, scope: ScopeKey, at: number): Promise<string> {
  const { tenant = 'default', user, agent = null, app = null } = scope
  const rows = await keepsake.scopes({ tenant, user })
  const scopeRow = rows.find((row) => row.agent === agent && row.app === app)
  const sessions = scopeRow === undefined ? [] : await keepsake.scope(scope).sessions()
  const last = sessions.findLast((session) => session.scope === scopeRow?.scope)
  if (last === undefined) return 'session-1'
  const hasEnded = last.endedAt !== null || at - last.lastAt > keepsake.preset.sessionGap
  return hasEnded ? `session-${last.number + 1}` : last.id
}

/** Milliseconds since 1970. */
interface ExchangeTimes {
  readonly askedAt: number
  readonly answeredAt: number
}

/** Returns the turns of a session by time. An edited turn is stored last, with the time of the one that it replaces. */
async function storedTurns(memory: ScopedMemory, { session }: IdContext): Promise<Turn[]> {
  const turns = await memory.turns({ session, exactScope: true })
  return turns.toSorted((left, right) => left.at - right.at)
}

const toText = ({ role, text, speaker }: Turn) => ({ role, text, name: speaker })

const toHistoryMessages = ({ id, role, text }: Turn): HistoryMessage[] =>
  role === 'user' || role === 'assistant' ? [{ id, role, text }] : []

/** Matches the beginning of an answer that continues the message before it. */
const CONTINUATION = /^[\s\p{Ll}.,;:!?…)\]，。、！？；：）」』”]/u

/** Whether an answer is a message of another character than the one who spoke last. Clients add the name of each to stored answers. */
function isOfNextSpeaker(
  { messages, answerPrefix }: Exchange,
  answer: string | null,
  stored: readonly Turn[],
): boolean {
  if (answerPrefix === null) return asksNextSpeaker(messages)
  const { text, name } = answerPrefix
  const unlabelled = withoutLabel(text).trim()
  const namesSpeaker = unlabelled !== text.trim() || name !== null
  if (!namesSpeaker || answer === null || CONTINUATION.test(answer)) return false
  return (
    stored.some((turn) => turn.role === 'assistant' && turn.text.trim() === unlabelled) ||
    messages.some(
      (other) =>
        other.role === 'assistant' && (other.name !== name || withoutLabel(other.text) !== other.text),
    )
  )
}

/** An exchange, and its differences from the stored conversation. */
interface ComparedExchange {
  readonly messages: readonly ChatMessage[]
  /** `null`: none, or incomplete. */
  readonly answer: string | null
  readonly history: HistoryChanges
  readonly stored: readonly Turn[]
  /** See {@link IdContext}. */
  readonly continuedId: string | null
  readonly isNextSpeaker: boolean
}

/** Converts an exchange to turns: new messages, the answer, and edited messages with the ids of stored turns they replace. */
export function chatTurns(
  { messages: conversationMessages, hash }: Conversation,
  { messages, answer, history, stored, continuedId, isNextSpeaker }: ComparedExchange,
  at: ExchangeTimes,
): { readonly turns: readonly TurnInput[]; readonly replaced: readonly string[] } {
  const newIndexes = new Set(newMessages(messages))
  // Where the upstream stores the conversation, a request may contain only tool results for an earlier question.
  if (newIndexes.size === 0 && continuedId === null && !isNextSpeaker) return { turns: [], replaced: [] }
  const turns: TurnInput[] = []
  for (const [number, { id, role, text, name, index }] of conversationMessages.entries()) {
    const isRepeat = history.isRepeat && number === conversationMessages.length - 1
    const [replacedId] = history.edited.get(number) ?? []
    if (history.stored.has(number) || (!newIndexes.has(index) && replacedId === undefined)) continue
    const time = newIndexes.has(index)
      ? at.askedAt
      : (stored.find((turn) => turn.id === replacedId)?.at ?? at.askedAt)
    const { attachments = [], textOnly = text } = messages[index] ?? {}
    const content = attachments.length === 0 ? { text } : { text: textOnly, attachments }
    turns.push({
      role,
      ...content,
      id: isRepeat ? freeId(id, stored) : id,
      at: time,
      ...(name === null ? {} : { speaker: name }),
    })
  }
  const edited = [...history.edited.values()].flat()
  if (answer === null || answer.trim() === '') return { turns, replaced: edited }
  // The same answer to an earlier, equal message is another turn.
  const question = stored.findIndex(({ id }) => id === history.stored.get(conversationMessages.length - 1))
  const earlier = history.isRepeat ? stored : stored.slice(0, Math.max(0, question))
  const id = freeId(answerId(hash, answer), earlier)
  turns.push({ role: 'assistant', text: answer, id, at: at.answeredAt })
  return { turns, replaced: edited }
}

/** Returns the id, or its first version (`…~2`) that no stored turn has. */
function freeId(id: string, stored: readonly Turn[]): string {
  const ids = new Set(stored.map((turn) => turn.id))
  let free = id
  while (ids.has(free)) free = nextVersion(free)
  return free
}

const nextVersion = (id: string): string =>
  id.replace(/(?:~(\d+))?$/, (_, version = '1') => `~${Number(version) + 1}`)

/** Returns the stored answers to exactly the messages of a hash. In a tool loop, earlier parts of an answer follow fewer messages. */
function answersAfter(hash: string, stored: readonly Turn[]): readonly string[] {
  const answers = stored.filter(({ role }) => role === 'assistant')
  return answers.filter(({ id, text }) => id.startsWith(answerId(hash, text))).map(({ id }) => id)
}

/** Stores turns. A turn whose id was erased before gets a new id (`…~2`), because an erased id cannot be used again. */
async function rememberWithNewIds(
  memory: ScopedMemory,
  turns: readonly TurnInput[],
  options: { readonly session?: string },
): Promise<void> {
  let pending = turns
  while (pending.length > 0) {
    const { added } = await memory.remember(pending, options)
    if (added === pending.length) return
    const stored = await memory.turns({ ids: pending.flatMap(({ id }) => id ?? []) })
    const ids = new Set(stored.map(({ id }) => id))
    const erased = pending.filter(({ id = '' }) => !ids.has(id))
    pending = erased.map((turn) => ({ ...turn, id: nextVersion(turn.id ?? '') }))
  }
}

async function eraseTurns(memory: ScopedMemory, turns: readonly string[]): Promise<void> {
  for (const turn of turns)
    await memory.erase({ turns: [turn] }).catch((error: unknown) => {
      // An equal request has erased it.
      if (!(error instanceof NotFoundError)) throw error
    })
}

interface ExchangeRecorderOptions {
  readonly exchange: ExchangeRecord
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called when the exchange could not be remembered after all retries. */
  readonly report: (error: unknown) => void
  /** Waits for a promise, up to the maximum holding time. Never rejects. */
  readonly wait: (work: Promise<unknown>) => Promise<void>
}

/** Remembers an exchange while its answer passes through. Each step holds the answer back and never fails. */
export class ExchangeRecorder {
  readonly #options: ExchangeRecorderOptions
  #isQuestionStored: Promise<boolean> = Promise.resolve(false)
  #failure: unknown = null

  constructor(options: ExchangeRecorderOptions) {
    this.#options = options
  }

  /** Why the exchange could not be remembered; `null` if it was, or is not yet. */
  get failure(): unknown {
    return this.#failure
  }

  /** Remembers the user's messages. The second step retries a failure. */
  async rememberQuestion(): Promise<void> {
    const { exchange, wait } = this.#options
    this.#isQuestionStored = exchange.rememberQuestion().then(
      () => true,
      () => false,
    )
    await wait(this.#isQuestionStored)
  }

  /** Remembers the answer, if it is complete. `before` runs between the question's and the answer's storing. */
  async rememberAnswer(answer: string | null, before: () => Promise<void>): Promise<void> {
    await this.#options.wait(this.#storeAnswer(answer, before))
  }

  async #storeAnswer(answer: string | null, before: () => Promise<void>): Promise<void> {
    const { exchange, now, report } = this.#options
    await this.#isQuestionStored
    await before().catch(report)
    try {
      if ((await this.#isQuestionStored) && answer === null) return
      await exchange.rememberAnswer(answer, now())
    } catch (error) {
      this.#failure = error
      report(error)
    }
  }
}
