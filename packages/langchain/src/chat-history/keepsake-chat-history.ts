import { randomUUID } from 'node:crypto'
import { BaseListChatMessageHistory } from '@langchain/core/chat_history'
import type { BaseMessage } from '@langchain/core/messages'
import type { ScopedMemory, Turn, TurnInput } from 'keepsake'
import { messageOfTurn, turnOfMessage } from './message-turns.ts'

/** Options of `KeepsakeChatHistory`. */
export interface KeepsakeChatHistoryOptions {
  /** The talk's name: a session of the scope. */
  readonly session: string
}

/**
 * A session of Keepsake as a chat history of LangChain: what is said in it is remembered, and what is remembered of it is
 * the history. Holds what people, the agent and the application said as text, and a reference to each picture and file;
 * results of tools and calls for them are not kept. Secrets come back masked.
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

  /** What was said, in the order in which it was stored. */
  override async getMessages(): Promise<BaseMessage[]> {
    return (await this.#turns()).flatMap((turn) => messageOfTurn(turn) ?? [])
  }

  override async addMessage(message: BaseMessage): Promise<void> {
    await this.addMessages([message])
  }

  /** Stores messages, all or none. One whose id is known is not stored again. @throws TurnConflictError for a known id with other words. */
  override async addMessages(messages: BaseMessage[]): Promise<void> {
    const turns = messages
      .map((message) => turnOfMessage(message, this.#session, randomUUID))
      .filter((turn): turn is TurnInput => turn !== null)
    if (turns.length > 0) await this.#scope.remember(turns, { session: this.#session })
  }

  /** Erases the session for good, and with it every memory that rests on it. */
  override async clear(): Promise<void> {
    const turns = (await this.#turns()).map(({ id }) => id)
    if (turns.length > 0) await this.#scope.erase({ turns })
  }

  /** The same name in another agent's or app's scope is another session. */
  #turns(): Promise<readonly Turn[]> {
    return this.#scope.turns({ session: this.#session, exactScope: true })
  }
}
