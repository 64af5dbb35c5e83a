import { randomUUID } from 'node:crypto'
import { BaseListChatMessageHistory } from '@langchain/core/chat_history'
import type { BaseMessage } from '@langchain/core/messages'
import type { ScopedMemory, Turn, TurnInput } from 'keepsake'
import { messageOfTurn, turnOfMessage } from './message-turns.ts'

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

  constructor(scope: ScopedMemory, { session }: KeepsakeChatHistoryOptions) {
    super()
    this.#scope = scope
    this.#session = session
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

  /** A session with the same name in the scope of another agent or app is another session. */
  #turns(): Promise<readonly Turn[]> {
    return this.#scope.turns({ session: this.#session, exactScope: true })
  }
}
