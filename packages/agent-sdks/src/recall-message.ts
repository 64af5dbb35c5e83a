// Recall for the adapters of this package: the question is what the user said last, and a failure never fails the agent's run.
import { recallForCall, type CallRecallOptions } from '@keepsake/ai-sdk'
import { attachmentsIn, type ScopedMemory, type TurnInput } from 'keepsake'

/** How recalled memories enter a prompt. */
export interface RecallMessageOptions extends Omit<CallRecallOptions, 'speaker'> {
  /** Called when memory fails or takes longer than `timeoutMs`; the run continues without it. A warning of the process when absent. */
  readonly onError?: (error: unknown) => void
}

/** One message of a conversation, in the order of the conversation. */
export interface SpokenMessage {
  readonly role: 'user' | 'assistant' | 'other'
  readonly text: string
}

/**
 * Recalls what bears on the user's last words, as text for a system message.
 *
 * @param messages the conversation as the model sees it; its texts are not repeated by the recall.
 * @returns `null` when the user said nothing, nothing was found, or memory failed.
 */
export async function recallMessage(
  scope: ScopedMemory,
  messages: readonly SpokenMessage[],
  options: RecallMessageOptions,
): Promise<string | null> {
  const { onError = warn, ...settings } = options
  const said = messages
    .slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    .filter(({ role }) => role === 'user')
  const shown = new Set(messages.map(({ text }) => text))
  try {
    return await recallForCall(scope, { said, shown }, settings)
  } catch (error) {
    onError(error)
    return null
  }
}

/** The text of a message's content: a string, or text parts; other parts are not words. */
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

/** What a message's content says as a turn: its words, and its pictures and files. */
export function turnOfContent(content: unknown): Pick<TurnInput, 'text' | 'attachments'> {
  const attachments = attachmentsIn(content)
  return { text: textOfContent(content), ...(attachments.length === 0 ? {} : { attachments }) }
}

/** Whether a turn says or shows something. */
export function hasContent({ text, attachments = [] }: TurnInput): boolean {
  return text.trim() !== '' || attachments.length > 0
}

/** Reports a failure of the memory as a warning of the process. */
export function warn(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error)
  process.emitWarning(`Memory failed; the run continued without it. ${reason}`, 'KeepsakeWarning')
}
