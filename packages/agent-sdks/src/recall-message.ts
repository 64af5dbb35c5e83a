// Recall for the adapters of this package. Failures of memory never fail the agent's run.
import { recallForCall, type CallRecallOptions } from '@keepsake/ai-sdk'
import { attachmentsIn, type ScopedMemory, type TurnInput } from 'keepsake'

/** Options of the recall for a prompt. */
export interface RecallMessageOptions extends Omit<CallRecallOptions, 'speaker'> {
  /** Called when memory fails or takes longer than `timeoutMs`; the run then continues without memory. Default: a process warning. */
  readonly onError?: (error: unknown) => void
}

/** One message of a conversation, in the order of the conversation. */
export interface RecallMessage {
  readonly role: 'user' | 'assistant' | 'other'
  readonly text: string
}

/** Recalls for the user's last messages, without texts that are in `messages`. `null`: no user message, nothing found, or memory failed. */
export async function recallText(
  scope: ScopedMemory,
  messages: readonly RecallMessage[],
  options: RecallMessageOptions,
): Promise<string | null> {
  const { onError = warn, ...settings } = options
  const userMessages = messagesSinceAnswer(messages).filter(({ role }) => role === 'user')
  const visibleTexts = new Set(messages.map(({ text }) => text))
  try {
    return await recallForCall(scope, { said: userMessages, shown: visibleTexts }, settings)
  } catch (error) {
    onError(error)
    return null
  }
}

/** Returns the messages after the assistant's last answer. */
export function messagesSinceAnswer<Item extends { readonly role: string }>(
  messages: readonly Item[],
): Item[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
}

/** Returns the text of a message's content: the string, or its text parts. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) =>
      typeof part === 'object' && part !== null ? Reflect.get(part, 'text') : undefined,
    )
    .filter((text) => typeof text === 'string')
    .join('\n')
}

/** Returns the text and attachments of a message's content, for a turn. */
export function turnOfContent(content: unknown): Pick<TurnInput, 'text' | 'attachments'> {
  const attachments = attachmentsIn(content)
  return { text: textOfContent(content), ...(attachments.length === 0 ? {} : { attachments }) }
}

/** Whether a turn has text or attachments. */
export function hasContent({ text, attachments = [] }: TurnInput): boolean {
  return text.trim() !== '' || attachments.length > 0
}

/** Reports a failure of the memory as a warning of the process. */
export function warn(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  process.emitWarning(`Memory failed; the run continued without it. ${reason}`, 'KeepsakeWarning')
}
