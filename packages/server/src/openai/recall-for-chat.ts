import {
  composeContext,
  contextLine,
  estimateTokens,
  type CountTokens,
  type Recall,
  type RecalledMemory,
  type ScopedMemory,
} from 'keepsake'
import { named } from 'keepsake/parts'
import { newMessages, type ChatMessage } from './read-chat-request.ts'

export interface ChatRecallOptions {
  /** What the context may cost. */
  readonly tokens: number
  /** How many memories the preset recalls. */
  readonly limit: number
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
}

const MOST = 1_000

/**
 * Recalls what bears on the user's latest words. What stands in the request already is left out: clients send the talk so far
 * with each request, and it would only be said twice.
 */
export async function recallForChat(
  memory: ScopedMemory,
  messages: readonly ChatMessage[],
  options: ChatRecallOptions,
): Promise<ChatContext> {
  const { tokens, limit, signal } = options
  const question = chatQuestion(messages)
  const said = new Set(messages.flatMap(({ by, text }) => (by === 'other' ? [] : [text])))
  const recall = await memory.recall(question, {
    tokens,
    limit: Math.min(MOST, limit + said.size),
    // While a model works through its tools, the same turn is asked about again and again: it counts once.
    ...(messages.at(-1)?.by === 'user' ? {} : { reinforce: false }),
    abortSignal: signal,
  })
  const unsaid = recall.memories.filter((recalled) => !isSaid(recalled, said))
  const kept = unsaid.slice(0, limit).map(withPlainNames)
  const text = contextText(recall, kept, options)
  const lines = new Set(text.split('\n'))
  const shown = kept.filter((recalled) => lines.has(contextLine(recalled)))
  return { question, text, memories: shown.map((recalled) => recalled.memory.id) }
}

/** What the user said since the agent's last answer, in words; their last words where they said nothing since. */
export function chatQuestion(messages: readonly ChatMessage[]): string {
  const words = newMessages(messages).flatMap((index) => messages[index]?.words ?? [])
  const question = words.filter((text) => text.trim() !== '').join('\n')
  if (question !== '') return question
  return messages.findLast(({ by, words }) => by === 'user' && words.trim() !== '')?.words ?? ''
}

/** Only what is told word for word is known to be in the request: statements drawn from it may say more. */
function isSaid({ memory, evidence }: RecalledMemory, said: ReadonlySet<string>): boolean {
  if (memory.form !== 'utterance') return false
  const shown = evidence.flatMap(({ text }) => text ?? [])
  return shown.length > 0 && shown.every((text) => said.has(text))
}

/** A speaker's name stands outside quotation marks in the context: on one line, or it could pass for more than a name. */
function withPlainNames(recalled: RecalledMemory): RecalledMemory {
  const evidence = recalled.evidence.map((one) => ({
    ...one,
    speaker: one.speaker === null ? null : named(one.speaker) || null,
  }))
  const isPlain = evidence.every(({ speaker }, index) => speaker === recalled.evidence[index]?.speaker)
  return isPlain ? recalled : { ...recalled, evidence }
}

/** The engine's own context where it can stand as it is; its counter of tokens is better than an estimate. */
function contextText(recall: Recall, kept: readonly RecalledMemory[], options: ChatRecallOptions): string {
  const { memories } = recall
  const isWhole = kept.length === memories.length && kept.every((one, index) => one === memories[index])
  if (isWhole) return recall.context.text
  return composeContext(kept, options.tokens, options.countTokens ?? estimateTokens).text
}
