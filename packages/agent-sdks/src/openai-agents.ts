// Keepsake for the OpenAI Agents SDK: a session that is remembered, and a filter that recalls before each call of the model.
import { randomUUID } from 'node:crypto'
import type { AgentInputItem, CallModelInputFilter, Session } from '@openai/agents-core'
import type { ScopedMemory, Turn, TurnInput } from 'keepsake'
import {
  recallText,
  hasContent,
  textOfContent,
  turnOfContent,
  type RecallMessageOptions,
  type RecallMessage,
} from './recall-message.ts'

/**
 * A session of the OpenAI Agents SDK, stored in Keepsake. The next run begins with its history, and its messages are remembered. Messages
 * are stored as text, with secrets masked. Tool calls, their results and reasoning are not stored.
 *
 * @example
 * const session = new KeepsakeSession(keepsake.scope({ user: 'ana' }), { session: 'monday' })
 * await run(agent, 'I moved to Lyon.', { session })
 */
export class KeepsakeSession implements Session {
  readonly #scope: ScopedMemory
  readonly #session: string

  /** @param options.session the conversation's name: a session of the scope. */
  constructor(scope: ScopedMemory, options: { readonly session: string }) {
    this.#scope = scope
    this.#session = options.session
  }

  async getSessionId(): Promise<string> {
    return this.#session
  }

  /** The messages in order of arrival. @param limit the newest at most. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const turns = await this.#turns()
    return (limit === undefined ? turns : turns.slice(Math.max(turns.length - limit, 0))).map(itemOfTurn)
  }

  /** Stores messages, all or none. A message whose id is known is not stored again. */
  async addItems(items: AgentInputItem[]): Promise<void> {
    const turns = items.map((item) => this.#turnOf(item)).filter((turn) => turn !== null)
    if (turns.length > 0) await this.#scope.remember(turns, { session: this.#session })
  }

  /** Erases the newest message and everything extracted from it, and returns it. This cannot be undone. */
  async popItem(): Promise<AgentInputItem | undefined> {
    const last = (await this.#turns()).at(-1)
    if (last === undefined) return undefined
    await this.#scope.erase({ turns: [last.id] })
    return itemOfTurn(last)
  }

  /** Erases the session and every memory extracted from it. This cannot be undone. */
  async clearSession(): Promise<void> {
    const turns = (await this.#turns()).map(({ id }) => id)
    if (turns.length > 0) await this.#scope.erase({ turns })
  }

  /** Reads the session's turns in this scope only: another scope may have a session of the same name. */
  #turns(): Promise<readonly Turn[]> {
    return this.#scope.turns({ session: this.#session, exactScope: true })
  }

  #turnOf(item: AgentInputItem): TurnInput | null {
    const message = messageOf(item)
    if (message === null || !('content' in item)) return null
    const turn = { ...message, ...turnOfContent(item.content) }
    if (!hasContent(turn)) return null
    return { ...turn, id: `openai-agents/${this.#session}/${item.id ?? randomUUID()}` }
  }
}

/**
 * Recalls memories for the user's last message and adds them to the end of the instructions, which the session does not store.
 *
 * @example
 * const runner = new Runner({ callModelInputFilter: recallFilter(keepsake.scope({ user: 'ana' })) })
 * await runner.run(agent, 'What can I not cook for Mia?', { session })
 */
export function recallFilter(scope: ScopedMemory, options: RecallMessageOptions = {}): CallModelInputFilter {
  return async ({ modelData }) => {
    const messages = modelData.input.map(messageOf).filter((message) => message !== null)
    const text = await recallText(scope, messages, options)
    if (text === null) return modelData
    return { ...modelData, instructions: [modelData.instructions, text].filter(Boolean).join('\n\n') }
  }
}

/** Returns the message of an item; `null` for tool calls, results and reasoning. */
function messageOf(item: AgentInputItem): RecallMessage | null {
  if (!('role' in item) || !('content' in item)) return null
  const role = item.role === 'system' ? 'other' : item.role
  return { role, text: textOfContent(item.content) }
}

function itemOfTurn({ role, text }: Turn): AgentInputItem {
  if (role === 'assistant')
    return { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text }] }
  return { type: 'message', role: role === 'user' ? 'user' : 'system', content: text }
}
