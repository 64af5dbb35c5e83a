import { createHash, createHmac } from 'node:crypto'
import { attachmentsIn, textWithAttachments, type AttachmentInput, type ScopeKey } from 'keepsake'
import type { Message } from './call.ts'

export interface UserMessage {
  readonly id: string
  readonly text: string
  readonly attachments: readonly AttachmentInput[]
}

export interface Conversation {
  /** The user's messages since the agent's last answer, oldest first. */
  readonly newMessages: readonly UserMessage[]
  /** Whether the prompt is a later step of a tool loop. The user's messages were remembered after the first step. */
  readonly isContinuation: boolean
  /** Texts of the agent in earlier steps of this tool loop. */
  readonly earlierSteps: readonly string[]
  /** All texts of the prompt, each on one line. Recall leaves them out. */
  readonly visibleTexts: ReadonlySet<string>
  /** Digest of the conversation up to the user's last message: the same in every step of a tool loop. */
  readonly digest: string
}

/** Values on which the ids of messages depend, besides their texts. */
export interface IdContext {
  readonly scope: ScopeKey
  /** The session, or the day where there is none: the same text on another day gets another id. */
  readonly session: string
  readonly secret: string | undefined
}

/** Returns the text parts of a message, without images, files and results of tools. */
export function textOf({ content }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content
  return content
    .flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('\n')
}

/** Joins the lines of a text, for comparison. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

const TOOL_PARTS = new Set(['tool-call', 'tool-result', 'tool-approval-request'])

function usesTools({ role, content }: Message): boolean {
  return role === 'tool' || (typeof content !== 'string' && content.some(({ type }) => TOOL_PARTS.has(type)))
}

/** Builds a hash chain: each id depends on all earlier messages. So “Yes” said twice has two ids, and a prompt sent again has the same ids. */
export function messageDigest(context: IdContext): (previous: string, role: string, text: string) => string {
  const { tenant, user, agent, app } = context.scope
  const conversation = [tenant ?? null, user, agent ?? null, app ?? null, context.session]
  return (previous, role, text) => {
    const { secret } = context
    const hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret.toWellFormed())
    return hash
      .update(JSON.stringify([conversation, previous, role, text]))
      .digest('hex')
      .slice(0, 32)
  }
}

/** Reads a prompt: the user's new messages, and whether it continues a tool loop. */
export function readPrompt(prompt: readonly Message[], context: IdContext): Conversation {
  const messages = prompt.filter(({ role }) => role !== 'system')
  const lastUserIndex = messages.findLastIndex(({ role }) => role === 'user')
  const answerSteps = messages.slice(lastUserIndex + 1)
  const isContinuation = answerSteps.some(usesTools)
  const texts = messages.filter(({ role }) => role !== 'tool').map((message) => toOneLine(textOf(message)))
  return {
    ...readNewMessages(messages.slice(0, lastUserIndex + 1), context),
    isContinuation,
    earlierSteps: isContinuation ? answerSteps.filter(({ role }) => role === 'assistant').map(textOf) : [],
    visibleTexts: new Set(texts.filter((text) => text !== '')),
  }
}

/** Digests all messages, and returns those of the user after the last answer. */
function readNewMessages(
  messages: readonly Message[],
  context: IdContext,
): Pick<Conversation, 'newMessages' | 'digest'> {
  const firstNewIndex = messages.findLastIndex(({ role }) => role !== 'user') + 1
  const digestNext = messageDigest(context)
  const newMessages: UserMessage[] = []
  let digest = ''
  for (const [index, message] of messages.entries()) {
    const text = textOf(message)
    const attachments = attachmentsIn(message.content)
    const content = textWithAttachments(text, attachments)
    if (message.role === 'tool' || content === '') continue
    digest = digestNext(digest, message.role, content)
    if (index >= firstNewIndex) newMessages.push({ id: `ai-sdk/${digest}`, text, attachments })
  }
  return { newMessages, digest }
}
