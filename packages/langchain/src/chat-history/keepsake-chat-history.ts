import { randomUUID } from 'node:crypto'
import { BaseListChatMessageHistory } from '@langchain/core/chat_history'
import { type BaseMessage, AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { InvalidInputError, type ScopedMemory, type Turn, type TurnInput, attachmentsIn } from 'keepsake'

/** Options of `KeepsakeChatHistory`. */
export interface KeepsakeChatHistoryOptions {
  readonly session: string
}

/**
 * A session of Keepsake as a chat history of LangChain. Added messages are remembered as turns, and the session's turns are
 * the history. It holds the text of messages, and a reference to each picture and file.
 * It does not store calls of tools and their results. Secrets come back masked.
 *
 * @example
 * const chain = new RunnableWithMessageHistory({
 *   runnable: prompt.pipe(model),
 *   getMessageHistory: (session) => new KeepsakeChatHistory(keepsake.scope({ user: 'ana' }), { session }),
 *   inputMessagesKey: 'input',
 *   historyMessagesKey: 'history',
 * })
 */
export class KeepsakeChatHistory extends BaseListChatMessageHistory {
  override lc_namespace = ['keepsake', 'langchain', 'chat_history']
  readonly #scope: ScopedMemory
  readonly #session: string

  constructor(scope: ScopedMemory, options: KeepsakeChatHistoryOptions) {
    super()
    const given: Partial<KeepsakeChatHistoryOptions> | undefined = options
    if (
      typeof (scope as ScopedMemory | undefined)?.remember !== 'function' ||
      typeof given?.session !== 'string'
    )
      throw new InvalidInputError(
        "KeepsakeChatHistory needs a scope and a session: new KeepsakeChatHistory(keepsake.scope({ user: 'ana' }), { session: 'chat-1' }).",
      )
    this.#scope = scope
    this.#session = given.session
  }

  /** The messages in the order in which they were stored. */
  override async getMessages(): Promise<BaseMessage[]> {
    return (await this.#turns()).flatMap((turn) => messageOfTurn(turn) ?? [])
  }

  override async addMessage(message: BaseMessage): Promise<void> {
    await this.addMessages([message])
  }

  /** Stores all messages or none. A message with a known id is not stored again. @throws TurnConflictError for a known id with another text */
  override async addMessages(messages: BaseMessage[]): Promise<void> {
    const turns = messages
      .map((message) => turnOfMessage(message, this.#session, randomUUID))
      .filter((turn): turn is TurnInput => turn !== null)
    if (turns.length > 0) await this.#scope.remember(turns, { session: this.#session })
  }

  /** Erases the session permanently, with every memory that rests on it. */
  override async clear(): Promise<void> {
    const turns = (await this.#turns()).map(({ id }) => id)
    if (turns.length > 0) await this.#scope.erase({ turns })
  }

  /** Reads the turns of the session in this scope only. Another agent or app may have a session of the same name. */
  #turns(): Promise<readonly Turn[]> {
    return this.#scope.turns({ session: this.#session, exactScope: true })
  }
}

/** Returns the beginning of a turn's id. It contains the session, because message ids are unique only within a session. */
function idPrefix(kind: 'message' | 'system', session: string): string {
  return `langchain/${kind}/${session}/`
}

/** Converts a message to a turn; `null` for results of tools, and for messages without text and attachments. */
function turnOfMessage(message: BaseMessage, session: string, newId: () => string): TurnInput | null {
  const role = roleOf(message)
  const { text } = message
  const attachments = attachmentsIn(message.content)
  if (role === null || (text.trim() === '' && attachments.length === 0)) return null
  return {
    role,
    // The id marks system messages, because turns of other kinds have the role `other` too.
    id: `${idPrefix(role === 'other' ? 'system' : 'message', session)}${message.id ?? newId()}`,
    text,
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(message.name === undefined ? {} : { speaker: message.name }),
  }
}

function roleOf(message: BaseMessage): 'user' | 'assistant' | 'other' | null {
  switch (message.getType()) {
    case 'human':
      return 'user'
    case 'ai':
      return 'assistant'
    case 'system':
    case 'developer':
      return 'other'
    default:
      return null
  }
}

/** Converts a turn to a message; `null` for a turn with the role `other` that was not added as a system message. */
function messageOfTurn({ id, session, role, speaker, text }: Turn): BaseMessage | null {
  const prefix = idPrefix(role === 'other' ? 'system' : 'message', session)
  const isOurs = id.startsWith(prefix)
  const fields = {
    content: text,
    id: isOurs ? id.slice(prefix.length) : id,
    ...(speaker === null ? {} : { name: speaker }),
  }
  if (role === 'user') return new HumanMessage(fields)
  if (role === 'assistant') return new AIMessage(fields)
  return isOurs ? new SystemMessage(fields) : null
}
