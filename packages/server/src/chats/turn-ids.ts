// Makes the ids of turns from conversations. They show with which earlier messages a stored message was sent.
import { createHash } from 'node:crypto'
import type { ScopeKey, Turn } from 'keepsake'
import type { ChatMessage } from './chat-protocol.ts'
import { toPlain, type HistoryMessage } from './compare-history.ts'

/** The context of a conversation, on which its turn ids depend. */
export interface IdContext {
  readonly scope: ScopeKey
  readonly session: string
  /** The id of the conversation at the upstream; `null` or absent when the request has the whole conversation. */
  readonly continuedId?: string | null
}

/** A message of the user or the assistant, and its index in the request. */
export interface RequestMessage extends HistoryMessage {
  readonly name: string | null
  readonly index: number
}

export interface Conversation {
  readonly messages: readonly RequestMessage[]
  readonly hash: string
}

/** Reads a request's messages. An id is a hash of scope, session and earlier messages, so that a repeat stores nothing twice. */
export function readConversation(
  { scope, session, continuedId = null }: IdContext,
  messages: readonly Pick<ChatMessage, 'role' | 'text' | 'name'>[],
): Conversation {
  const owner = [scope.tenant ?? 'default', scope.user, scope.agent ?? null, scope.app ?? null, session]
  let hash = digest(continuedId === null ? owner : [...owner, continuedId])
  const requestMessages: RequestMessage[] = []
  for (const [index, { role, text, name }] of messages.entries()) {
    if (role === 'other' || text.trim() === '') continue
    const answer = answerId(hash, text)
    const before = hash
    // Clients trim messages. The hash contains the role's former name `agent`, so that ids of stored turns stay valid.
    const hashWith = (content: string): string =>
      digest([before, role === 'assistant' ? 'agent' : role, name, content.trim()])
    hash = hashWith(text)
    const message = { role, text, name, index }
    if (role === 'assistant') requestMessages.push({ ...message, id: answer })
    else requestMessages.push({ ...message, id: turnId(hash), idOf: (content) => turnId(hashWith(content)) })
  }
  return { messages: requestMessages, hash }
}

/** Whether a client sends its history: then the id of the second stored message was made with the first and its answer. */
export function wasSentWithHistory(
  context: IdContext,
  messages: readonly ChatMessage[],
  stored: readonly Turn[],
): boolean {
  const answer = stored.findIndex(({ role }) => role === 'assistant')
  const second = stored.findIndex(({ role }, index) => index > answer && role === 'user')
  if (answer < 1 || second === -1) return false
  const greeting = messages.slice(
    0,
    messages.findIndex(({ role }) => role === 'user'),
  )
  const turns = stored.slice(0, second + 1).map(({ role, text, speaker }) => ({ role, text, name: speaker }))
  const id = readConversation(context, [...greeting, ...turns]).messages.at(-1)?.id
  return id !== undefined && stored[second]?.id.startsWith(id) === true
}

/** Maximum number of messages of a window that is recognised. */
const MAX_MESSAGES = 100

/**
 * Returns the ids that the last message of a request would have if the client had sent more or fewer of the old messages before it. So a
 * message is recognised after the client's window of history has changed.
 *
 * @param text the text that the last message would have
 */
export function idsInOtherWindows(
  context: IdContext,
  sent: readonly HistoryText[],
  stored: readonly HistoryText[],
  text: string,
): readonly string[] {
  const last = sent.at(-1)
  if (last?.role !== 'user') return []
  // A window without the last exchange would also be the beginning of another chat.
  return historiesBefore(stored, sent.slice(0, -1)).flatMap((before) =>
    before.slice(0, -1).flatMap((_, start) => {
      const conversation = readConversation(context, [...before.slice(start), { ...last, text }])
      return conversation.messages.at(-1)?.id ?? []
    }),
  )
}

/** Returns the stored messages up to the last one sent, with the sent messages in the client's words and in the stored ones. */
function historiesBefore(
  stored: readonly HistoryText[],
  sent: readonly HistoryText[],
): readonly (readonly HistoryText[])[] {
  const spoken = sent.filter(({ role }) => role !== 'other')
  const end = stored.findLastIndex((message) => isEqual(message, spoken.at(-1))) + 1
  let length = 0
  while (length < end && isEqual(stored[end - 1 - length], spoken.at(-1 - length))) length += 1
  const dropped = stored.slice(Math.max(0, end - MAX_MESSAGES), end - length)
  return [
    [...dropped, ...spoken.slice(spoken.length - length)],
    [...dropped, ...stored.slice(end - length, end)],
  ]
}

type HistoryText = Pick<ChatMessage, 'role' | 'text' | 'name'>

const isEqual = (one: HistoryText | undefined, other: HistoryText | undefined): boolean =>
  one !== undefined && one.role === other?.role && toPlain(one.text) === toPlain(other.text)

export const answerId = (hash: string, answer: string): string =>
  turnId(digest([hash, 'answer', answer.trim()]))

function digest(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Shortens a hash to 128 bits, enough for the turns of one user. */
function turnId(hash: string): string {
  return `chat-${hash.slice(0, 32)}`
}
