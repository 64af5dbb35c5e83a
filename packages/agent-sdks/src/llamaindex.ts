// Keepsake for LlamaIndex.TS: a long-term block of its memory.
import { BaseMemoryBlock, type MemoryMessage } from '@llamaindex/core/memory'
import type { ScopedMemory, TurnInput } from 'keepsake'
import {
  recallText,
  hasContent,
  messagesSinceAnswer,
  textOfContent,
  turnOfContent,
  type RecallMessageOptions,
  type RecallMessage,
} from './recall-message.ts'

/** Options of {@link KeepsakeMemoryBlock}. */
export interface KeepsakeMemoryBlockOptions extends RecallMessageOptions {
  /** The conversation's name. Without one, a long silence starts a new session. */
  readonly session?: string
  /** The block's name; `keepsake` when absent. */
  readonly id?: string
  /** Order among blocks; 0, the default, is always part of the prompt. */
  readonly priority?: number
}

/**
 * A block of LlamaIndex's memory. `get` recalls memories for the user's last message. `put` remembers messages that leave the short-term
 * memory because of its token limit. LlamaIndex logs failures.
 *
 * @example
 * const memory = createMemory({ memoryBlocks: [new KeepsakeMemoryBlock(keepsake.scope({ user: 'ana' }))] })
 * await memory.add({ role: 'user', content: 'What can I not cook for Mia?' })
 * const messages = await memory.getLLM()
 */
export class KeepsakeMemoryBlock extends BaseMemoryBlock {
  readonly #scope: ScopedMemory
  readonly #session: string | undefined
  readonly #recall: RecallMessageOptions

  constructor(scope: ScopedMemory, options: KeepsakeMemoryBlockOptions = {}) {
    const { id = 'keepsake', priority = 0, session, ...recall } = options
    super({ id, priority, isLongTerm: true })
    this.#scope = scope
    this.#session = session
    this.#recall = recall
  }

  override async get(messages: MemoryMessage[] = []): Promise<MemoryMessage[]> {
    // LlamaIndex passes all messages, also those that have left the prompt. Only the newest are certainly in it.
    const newest = messagesSinceAnswer(messages)
    const text = await recallText(this.#scope, newest.map(toRecallMessage), this.#recall)
    return text === null ? [] : [{ id: this.id, role: 'memory', content: text }]
  }

  override async put(messages: MemoryMessage[]): Promise<void> {
    const turns = messages
      .map((message): TurnInput => ({
        ...toRecallMessage(message),
        ...turnOfContent(message.content),
        id: `llamaindex/${message.id}`,
        ...timeOf(message),
      }))
      .filter(hasContent)
    if (turns.length > 0)
      await this.#scope.remember(turns, this.#session === undefined ? {} : { session: this.#session })
  }
}

function timeOf({ createdAt }: MemoryMessage): { at?: Date } {
  return createdAt === undefined ? {} : { at: createdAt }
}

function toRecallMessage({ role, content }: MemoryMessage): RecallMessage {
  return { role: role === 'user' || role === 'assistant' ? role : 'other', text: textOfContent(content) }
}
