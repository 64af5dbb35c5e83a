import type { CountTokens, ScopedMemory } from 'keepsake'
import { given } from '../given.ts'
import { newMessages, type ChatMessage } from './chat-message.ts'

export interface ChatRecallOptions {
  /** What the context may cost. */
  readonly tokens: number
  /** `false`: without the profile ahead. */
  readonly profile: boolean
  readonly countTokens: CountTokens | undefined
  readonly signal: AbortSignal
}

/** What is handed to the upstream's model. */
export interface ChatContext {
  readonly question: string
  /** A memory a line, quoted; empty when nothing was found. */
  readonly text: string
  /** Ids of the memories in it. */
  readonly memories: readonly string[]
  /** Whether memory knows what was asked. */
  readonly isKnown: boolean
}

/**
 * Recalls what bears on the user's latest words. What stands in the request already is left out: clients send the talk so far
 * with each request, and it would only be said twice.
 */
export async function recallForChat(
  memory: ScopedMemory,
  messages: readonly ChatMessage[],
  options: ChatRecallOptions,
): Promise<ChatContext> {
  const { tokens, profile, countTokens, signal } = options
  const question = chatQuestion(messages)
  const { context, known } = await memory.recall(question, {
    tokens,
    profile,
    shown: messages.flatMap(({ by, text }) => (by === 'other' ? [] : [text])),
    // While a model works through its tools, the same turn is asked about again and again: it counts once.
    ...(messages.at(-1)?.by === 'user' ? {} : { reinforce: false }),
    ...given({ countTokens }),
    abortSignal: signal,
  })
  return { question, text: context.text, memories: context.shown, isKnown: known }
}

/** What the user said since the agent's last answer, in words; their last words where they said nothing since. */
export function chatQuestion(messages: readonly ChatMessage[]): string {
  const words = newMessages(messages).flatMap((index) => messages[index]?.words ?? [])
  const question = words.filter((text) => text.trim() !== '').join('\n')
  if (question !== '') return question
  return messages.findLast(({ by, words }) => by === 'user' && words.trim() !== '')?.words ?? ''
}
