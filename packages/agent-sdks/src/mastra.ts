// Keepsake for Mastra: a processor that recalls before an agent answers and remembers the exchange afterwards.
import type { ProcessInputArgs, ProcessOutputResultArgs, Processor } from '@mastra/core/processors'
import type { ScopedMemory, TurnInput } from 'keepsake'
import {
  recallText,
  hasContent,
  messagesSinceAnswer,
  textOfContent,
  turnOfContent,
  warn,
  type RecallMessageOptions,
  type RecallMessage,
} from './recall-message.ts'

type MessageList = ProcessInputArgs['messageList']
type RequestContext = ProcessInputArgs['requestContext']

/** Options of {@link KeepsakeProcessor}. */
export interface KeepsakeProcessorOptions extends RecallMessageOptions {
  /** The user's memory, or a function that returns it for a request. */
  readonly scope: ScopedMemory | ((requestContext: RequestContext) => ScopedMemory)
  /** The conversation's name for a request. Without one, a long silence starts a new session. */
  readonly session?: (requestContext: RequestContext) => string
}

/**
 * Memory for an agent of Mastra, as its input and its output processor. Relevant memories become a system message; the user's new
 * messages and the answer are remembered. Tool calls and their results are not stored.
 *
 * @example
 * const memory = new KeepsakeProcessor({ scope: (context) => keepsake.scope({ user: context.get('user') }) })
 * const agent = new Agent({ id: 'bot', name: 'Bot', model, instructions, inputProcessors: [memory], outputProcessors: [memory] })
 */
export class KeepsakeProcessor implements Processor<'keepsake'> {
  readonly id = 'keepsake'
  readonly name = 'Keepsake'
  readonly #scope: KeepsakeProcessorOptions['scope']
  readonly #session: KeepsakeProcessorOptions['session']
  readonly #recall: RecallMessageOptions

  constructor({ scope, session, ...recall }: KeepsakeProcessorOptions) {
    this.#scope = scope
    this.#session = session
    this.#recall = recall
  }

  /** Adds recalled memories as a system message. */
  async processInput({ messageList, requestContext }: ProcessInputArgs): Promise<MessageList> {
    const text = await recallText(this.#scopeOf(requestContext), recallMessages(messageList), this.#recall)
    return text === null ? messageList : messageList.addSystem(text, 'keepsake')
  }

  /** Remembers the user's messages since the last answer, and the answer. */
  async processOutputResult({
    messageList,
    requestContext,
    result,
  }: ProcessOutputResultArgs): Promise<MessageList> {
    const input = messageList.get.input.db()
    const turns: TurnInput[] = messagesSinceAnswer(input)
      .filter(({ role }) => role === 'user')
      .map((message) => ({
        role: 'user',
        id: `mastra/${message.id}`,
        ...turnOfContent(message.content.parts),
      }))
    const answer = messageList.get.response.db().at(-1)
    turns.push({
      role: 'assistant',
      text: result.text,
      ...(answer === undefined ? {} : { id: `mastra/${answer.id}` }),
    })
    const turnsToStore = turns.filter(hasContent)
    try {
      const session = this.#session?.(requestContext)
      if (turnsToStore.length > 0)
        await this.#scopeOf(requestContext).remember(turnsToStore, session === undefined ? {} : { session })
    } catch (error) {
      ;(this.#recall.onError ?? warn)(error)
    }
    return messageList
  }

  #scopeOf(requestContext: RequestContext): ScopedMemory {
    return typeof this.#scope === 'function' ? this.#scope(requestContext) : this.#scope
  }
}

function recallMessages(messageList: MessageList): RecallMessage[] {
  return messageList.get.all.db().map(({ role, content }) => ({
    role: role === 'user' || role === 'assistant' ? role : 'other',
    text: textOfContent(content.parts),
  }))
}
