import { diffArrays } from 'diff'
import { withoutLabel } from './chat-protocol.ts'

/** A message of a conversation, as the client sends it or as it is stored. */
export interface HistoryMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** For user messages of a request: returns the id that the message would have with another text. */
  readonly idOf?: (text: string) => string
}

/** Properties of the client that sends a conversation. */
export interface HistoryClient {
  /** Whether the client names the session, so that all its messages belong to one conversation. */
  readonly isNamed: boolean
  /** Whether the answer follows an answer of another character. */
  readonly isNextSpeaker?: boolean
  /** Whether an earlier request of this session contained the earlier messages too. */
  readonly sendsHistory?: boolean
  /** Whether the client edited a message of the stored conversation with this request. */
  readonly hasEdited?: boolean
  /** Returns further ids that the last message may have with a text, because the client sends more or fewer old messages than before. */
  readonly otherIdsOf?: (text: string) => readonly string[]
}

/** The differences between a sent conversation and the stored one. */
export interface HistoryChanges {
  /** Id of the equal stored message, by index of the sent message. */
  readonly stored: ReadonlyMap<number, string>
  /** Ids of the stored messages that an edited message replaces, by the index of the edited message. */
  readonly edited: ReadonlyMap<number, readonly string[]>
  /** Ids of stored answers to the last sent message, when the client asks again. */
  readonly answersAgain: readonly string[]
  /** Whether the only sent message is said once more, though an equal one is stored. */
  readonly isRepeat: boolean
}

/** Stored messages that were not sent and sent messages that are not stored, between two messages that are in both. */
interface Gap {
  readonly stored: readonly HistoryMessage[]
  /** Indexes of sent messages. */
  readonly sent: readonly number[]
  /** Evidence from the user's messages before the gap that both are one conversation; 2 is enough. */
  readonly evidence: number
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Whether the user's stored message behind the gap was sent with the same messages before it, as its id shows. */
  readonly isAsSent: boolean
}

/**
 * Compares a sent conversation with the stored one. Missing old messages, a new conversation, and a request with only the last message are no
 * changes. A change is an edited message with the messages after it, or a last message that is sent again for a new answer.
 *
 * @param all the stored messages of the session, of which the latest are compared
 * @example
 * compareHistory([{ id: '1', role: 'user', text: 'My cat is Mo.' }], [{ id: '2', role: 'user', text: 'My cat is Moritz.' }], { isNamed: false })
 *   .edited // Map { 0 => ['1'] }
 */
export function compareHistory(
  all: readonly HistoryMessage[],
  sent: readonly HistoryMessage[],
  client: HistoryClient,
): HistoryChanges {
  const { isNamed, isNextSpeaker = false, hasEdited = false } = client
  const firstUser = sent.findIndex(({ role }) => role === 'user')
  const ownChat = isNamed ? sinceRepeated(sinceRepeated(all, sent, firstUser), sent, sent.length - 1) : all
  if (isNamed && isRepeat(ownChat, sent, client))
    return { stored: new Map(), edited: new Map(), answersAgain: [], isRepeat: true }
  const stored = ownChat.slice(-(sent.length + EXTRA_STORED))
  const matches = new Map<number, string>()
  const edited = new Map<number, readonly string[]>()
  let answersAgain: readonly string[] = []
  for (const gap of findGaps(stored, sent, matches)) {
    const hasOnlyStored = gap.sent.length === 0
    if (gap.isLast && hasOnlyStored && (isNextSpeaker || sent.at(-1)?.role === 'user')) {
      const isAnswer = gap.stored.every(({ role }) => role === 'assistant')
      // The id of a message depends on the messages before it, also on one that was edited since.
      const isSameChat = hasEdited || edited.size > 0 || isSameConversation(sent, matches, client)
      const isOfThisChat = isNamed || (isAnswer && isSameChat)
      if (!gap.isFirst && isOfThisChat) answersAgain = gap.stored.map(({ id }) => id)
    } else if (isNamed && gap.isFirst && !gap.isLast && hasOnlyStored) {
      const [first = 0] = matches.keys()
      const replaced = formerBeginnings(gap.stored, sent.slice(first), matches.get(first))
      if (replaced.length > 0) edited.set(first, replaced)
    } else if (isEdit(gap, sent, client)) {
      addEdits(edited, gap, isNamed)
    }
  }
  return { stored: matches, edited, answersAgain, isRepeat: false }
}

/** Adds the ids that each edited message of a gap replaces. The last one also replaces all stored messages that are left. */
function addEdits(edited: Map<number, readonly string[]>, gap: Gap, isNamed: boolean): void {
  const { stored, sent, isFirst, isLast } = gap
  const replacesAll = isNamed || !isLast || sent.length > 1
  const ids = replacesAll ? stored.map(({ id }) => id) : firstExchange(stored)
  // Older stored messages at the beginning are only missing from the request.
  const replaced = isFirst && !isLast ? ids.slice(Math.max(0, stored.length - sent.length)) : ids
  for (const [position, index] of sent.entries()) {
    const end = position === sent.length - 1 ? replaced.length : position + 1
    edited.set(index, replaced.slice(position, end))
  }
}

/**
 * Returns the part of a session that continues the sent conversation. Chats that begin alike may share a session, which then has several
 * messages with the id of a sent one. The part with the most equal messages is returned; of equal parts the latest.
 */
function sinceRepeated(
  stored: readonly HistoryMessage[],
  sent: readonly HistoryMessage[],
  index: number,
): readonly HistoryMessage[] {
  const repeatedId = sent[index]?.id
  const starts = stored.flatMap(({ id }, position) =>
    repeatedId !== undefined && id.startsWith(repeatedId) ? [position] : [],
  )
  if (starts.length < 2) return stored
  const conversation = sent.slice(index).map(withPlainText)
  const parts = starts.map((start, number) => {
    const messages = stored.slice(start, starts[number + 1])
    const different = conversation.findIndex((message, position) => {
      const before = messages[position]
      return before === undefined || !isSame(withPlainText(before), message)
    })
    return { messages, equalCount: different === -1 ? conversation.length : different }
  })
  const maxEqual = Math.max(...parts.map(({ equalCount }) => equalCount))
  return parts.findLast(({ equalCount }) => equalCount === maxEqual)?.messages ?? stored
}

/**
 * Whether the last message repeats an earlier one of its session, and is no request for a new answer. The user says it again if the client
 * sends no history, or the same examples before each message. A short message without history may begin another chat.
 */
function isRepeat(
  stored: readonly HistoryMessage[],
  sent: readonly HistoryMessage[],
  { sendsHistory = false }: HistoryClient,
): boolean {
  const message = sent.at(-1)
  if (message?.role !== 'user') return false
  const plain = withPlainText(message)
  const index = stored.findLastIndex((other) => isSame(withPlainText(other), plain))
  const later = stored.slice(index + 1).filter(({ role }) => role === 'user')
  if (index === -1 || later.length === 0) return false
  // A later message that was sent with the same messages before it does not follow this one.
  const hasAlternative = later.some(({ id, text }) => id.startsWith(message.idOf?.(text) ?? NO_ID))
  const isFirst = sent.slice(0, -1).every(({ role }) => role !== 'user')
  return hasAlternative || (isFirst && (!sendsHistory || !isDistinctive(message.text)))
}

/** The beginning of no id. */
const NO_ID = '\0'

/** Whether the stored message that equals the user's last one belongs to this conversation, and not to another of the same user. */
function isSameConversation(
  sent: readonly HistoryMessage[],
  matches: ReadonlyMap<number, string>,
  client: HistoryClient,
): boolean {
  const index = sent.findLastIndex(({ role }) => role === 'user')
  const last = sent[index]
  return last?.idOf === undefined || hasIdOf(last, last.text, matches.get(index) ?? NO_ID, client)
}

/** Whether a stored id is that of a sent message with a text, also if the client sent more or fewer old messages before it. */
function hasIdOf(
  { idOf }: HistoryMessage,
  text: string,
  storedId: string,
  { otherIdsOf = () => [] }: HistoryClient,
): boolean {
  if (idOf === undefined) return true
  return storedId.startsWith(idOf(text)) || otherIdsOf(text).some((id) => storedId.startsWith(id))
}

/** Aligns both conversations and returns the gaps. @param matches receives the sent messages that are stored */
function findGaps(
  stored: readonly HistoryMessage[],
  sent: readonly HistoryMessage[],
  matches: Map<number, string>,
): Gap[] {
  const gaps: Gap[] = []
  let [storedIndex, sentIndex, evidence] = [0, 0, 0]
  let gap: { stored: HistoryMessage[]; sent: number[] } = { stored: [], sent: [] }
  const close = (isLast: boolean, isAsSent = false): void => {
    const isFirst = matches.size === 0
    // Greetings of characters at the beginning are not stored, since they answer no message.
    if (isFirst && gap.stored[0]?.role !== 'assistant')
      while (sent[gap.sent[0] ?? -1]?.role === 'assistant') gap.sent.shift()
    const isEmpty = gap.stored.length + gap.sent.length === 0
    if (!isEmpty) gaps.push({ ...gap, evidence, isFirst, isLast, isAsSent })
    gap = { stored: [], sent: [] }
  }
  const options = { comparator: isSame, maxEditLength: MAX_EDITS }
  // Conversations with more differences are unrelated.
  const changes = diffArrays(stored.map(withPlainText), sent.map(withPlainText), options) ?? []
  for (const { added, removed, count } of changes)
    for (let step = 0; step < count; step++) {
      const message = stored[storedIndex]
      if (added) gap.sent.push(sentIndex++)
      else if (message !== undefined && removed) {
        gap.stored.push(message)
        storedIndex += 1
      } else if (message !== undefined) {
        close(false, message.role === 'user' && message.id.startsWith(sent[sentIndex]?.id ?? NO_ID))
        matches.set(sentIndex++, message.id)
        if (message.role === 'user') evidence += isDistinctive(message.text) ? 2 : 1
        storedIndex += 1
      }
    }
  close(true)
  return gaps
}

/** Number of stored messages to compare, in addition to the number of sent ones. */
const EXTRA_STORED = 200
/** Maximum differences to compare: the cost grows with their square. */
const MAX_EDITS = 500

/** Whether the sent messages of a gap replace the stored ones. */
function isEdit(
  { stored, sent, evidence, isFirst, isLast, isAsSent }: Gap,
  sentMessages: readonly HistoryMessage[],
  client: HistoryClient,
): boolean {
  const { isNamed, sendsHistory = false } = client
  const messages = sent.flatMap((index) => sentMessages[index] ?? [])
  const compared = isFirst && !isLast ? stored.slice(stored.length - messages.length) : stored
  const [first] = messages
  const [old, answer, ...others] = compared
  if (first === undefined || old === undefined || (isFirst && (isAsSent || isShort(first.text)))) return false
  // Exchanges are compared by their user messages. The answer after an edited message is replaced too.
  const isExchange = isLast && messages.length === 1 && first.role === 'user' && old.role === 'user'
  // The stored message may belong to another conversation of the same user.
  const isOwn = isExchange && hasIdOf(first, old.text, old.id, client)
  if (isExchange && isFirst) {
    if (sendsHistory && isOwn && isSimilar(old.text, first.text)) return true
    return others.length === 0 && answer?.role !== 'user' && isRetyped(old.text, first.text)
  }
  if (isExchange) {
    return isNamed || (isOwn && (evidence > 1 || isSimilar(old.text, first.text)))
  }
  if (messages.length !== compared.length) return false
  return messages.every((message, position) => {
    const before = compared[position]
    if (before?.role !== message.role) return false
    return (!isFirst && !isLast) || isNamed || isSimilar(before.text, message.text)
  })
}

/**
 * Returns the ids of earlier first messages and their answers, if the first message of a named session was edited. This is detected when the
 * client continues after the edit. In a chat with several user messages, the earlier first message must be similar to the edited one.
 */
function formerBeginnings(
  stored: readonly HistoryMessage[],
  [first, ...more]: readonly HistoryMessage[],
  storedId: string | undefined,
): readonly string[] {
  if (first?.idOf === undefined || storedId?.startsWith(first.id) !== true) return []
  if (more.every(({ role }) => role === 'user')) return []
  const beginnings: HistoryMessage[][] = []
  for (const message of stored) {
    if (message.role === 'user' && message.id.startsWith(first.idOf(message.text))) beginnings.push([])
    beginnings.at(-1)?.push(message)
  }
  const isOnlyMessage = beginnings.length === 1 && stored.filter(({ role }) => role === 'user').length === 1
  return beginnings
    .filter(([start]) => isOnlyMessage || (start !== undefined && isSimilar(start.text, first.text)))
    .flat()
    .map(({ id }) => id)
}

/** Returns the ids of the first message and its answer. Later messages stay. */
function firstExchange([message, next]: readonly HistoryMessage[]): string[] {
  const answer = next?.role === 'user' ? undefined : next
  return [message, answer].flatMap((part) => part?.id ?? [])
}

/** Whether a message has at most two words, or three Chinese characters. A chat may begin with it again: “Hi!”, 早上好. */
function isShort(text: string): boolean {
  return /^\W*(?:[^\s\p{Script=Han}]+\s+)?[^\s\p{Script=Han}]+\W*$|^[^\p{L}]*\p{Script=Han}{1,3}[^\p{L}]*$/u.test(
    text,
  )
}

/** Whether a message identifies its conversation. Other conversations may contain the same greeting, short text or question. */
function isDistinctive(text: string): boolean {
  const words = text.match(/\p{Script=Han}{2}|[^\s\p{Script=Han}]+/gu) ?? []
  return words.length >= MIN_DISTINCTIVE_WORDS && !/[?？]\W*$/.test(text)
}

const MIN_DISTINCTIVE_WORDS = 5
/** Share of a text that two versions of an answer, or a message and its edit, have in common. */
const MIN_SAME_SHARE = 0.9
const MIN_SIMILAR_SHARE = 0.5

/** Whether two messages are the same. The texts may differ: clients reformat answers, and stored messages have masked secrets but the same id. */
function isSame(left: HistoryMessage, right: HistoryMessage): boolean {
  if (left.id === right.id) return true
  if (left.role !== right.role) return false
  return (
    left.text === right.text ||
    (left.role === 'assistant' && commonShare(left.text, right.text) > MIN_SAME_SHARE)
  )
}

const withPlainText = (message: HistoryMessage): HistoryMessage => ({
  ...message,
  text: toPlain(message.role === 'assistant' ? withoutLabel(message.text) : message.text),
})

export const toPlain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** Whether a text may be an edit of another: at least half is equal. */
const isSimilar = (old: string, text: string): boolean =>
  commonShare(toPlain(old), toPlain(text)) >= MIN_SIMILAR_SHARE

/** Share of the longer text that is a common beginning or end. */
function commonShare(text: string, other: string): number {
  const { before, after } = splitDifference(text, other)
  const longest = Math.max(text.length, other.length, 1)
  return 1 - Math.max(before.length, after.length) / longest
}

/** Whether at most two letters were replaced by at most four, as in a corrected word. “My son is 5” does not correct “My dog is 5”. */
function isRetyped(old: string, text: string): boolean {
  const { before, after } = splitDifference(toPlain(old), toPlain(text))
  const [short, long] = before.length <= after.length ? [before, after] : [after, before]
  return short.length <= 2 && long.length <= 4 && /^\p{L}*$/u.test(before + after)
}

/** Returns the different parts of two texts, without their common beginning and end. */
function splitDifference(text: string, other: string): { readonly before: string; readonly after: string } {
  const maxLength = Math.min(text.length, other.length)
  let start = 0
  while (start < maxLength && text[start] === other[start]) start++
  let end = 0
  while (end < maxLength - start && text.at(-1 - end) === other.at(-1 - end)) end++
  return { before: text.slice(start, text.length - end), after: other.slice(start, other.length - end) }
}
