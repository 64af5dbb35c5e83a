import { diffArrays } from 'diff'

/** A message of a conversation, as the client sends it or as it is stored. */
export interface HistoryMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** Of a message of the user that is sent: the id that another text in its place would have. */
  readonly idOf?: (text: string) => string
}

/** What a client changed in the conversation since it was stored. */
export interface HistoryChanges {
  /** By index of a sent message: the stored message that it is. */
  readonly stored: ReadonlyMap<number, string>
  /** By index of an edited message: the stored messages that it replaces. */
  readonly edited: ReadonlyMap<number, readonly string[]>
  /** Stored answers to the last sent message, which asks again. */
  readonly answersAgain: readonly string[]
}

/** Stored messages that have no place in what was sent, and the other way round, between two that are in both. */
interface Gap {
  readonly stored: readonly HistoryMessage[]
  /** Indexes of sent messages. */
  readonly sent: readonly number[]
  /** The user's messages that are in both, before the gap. */
  readonly usersBefore: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

/**
 * Compares a conversation with what is stored of it. Clients drop old messages, begin new conversations, or send the last message only: none of
 * this is a change. A change is an edited message, with what followed it, or a last message that asks again.
 *
 * @param all the stored messages of the session; the latest are compared
 * @param isNamed whether the client names the session, so that another conversation cannot be meant
 * @example
 * compareHistory([{ id: '1', role: 'user', text: 'My cat is Mo.' }], [{ id: '2', role: 'user', text: 'My cat is Moritz.' }], false)
 *   .edited // Map { 0 => ['1'] }
 */
export function compareHistory(
  all: readonly HistoryMessage[],
  sent: readonly HistoryMessage[],
  isNamed: boolean,
): HistoryChanges {
  const stored = all.slice(-(sent.length + STORED_BEFORE))
  const known = new Map<number, string>()
  const edited = new Map<number, readonly string[]>()
  let answersAgain: readonly string[] = []
  for (const gap of gapsOf(stored, sent, known)) {
    const ids = gap.stored.map(({ id }) => id)
    if (gap.isLast && gap.sent.length === 0 && sent.at(-1)?.role === 'user') {
      const isAnswer = gap.stored.every(({ role }) => role === 'assistant')
      if (!gap.isFirst && (isNamed || (isAnswer && isOfTalk(sent, known)))) answersAgain = ids
    } else if (isEdit(gap, sent, isNamed)) {
      const replaced = ids.slice(gap.isFirst && !gap.isLast ? ids.length - gap.sent.length : 0)
      for (const [place, index] of gap.sent.entries())
        edited.set(
          index,
          place === gap.sent.length - 1 ? replaced.slice(place) : replaced.slice(place, place + 1),
        )
    }
  }
  return { stored: known, edited, answersAgain }
}

/** Whether the stored message that the last one equals was said in this conversation, and not in another of the same user. */
function isOfTalk(sent: readonly HistoryMessage[], known: ReadonlyMap<number, string>): boolean {
  const last = sent.at(-1)
  return last?.idOf === undefined || known.get(sent.length - 1)?.startsWith(last.id) === true
}

/** Aligns both conversations. @param known receives the sent messages that are stored */
function gapsOf(
  stored: readonly HistoryMessage[],
  sent: readonly HistoryMessage[],
  known: Map<number, string>,
): Gap[] {
  const gaps: Gap[] = []
  let [ofStored, ofSent, usersBefore] = [0, 0, 0]
  let gap: { stored: HistoryMessage[]; sent: number[] } = { stored: [], sent: [] }
  const close = (isLast: boolean): void => {
    const isEmpty = gap.stored.length + gap.sent.length === 0
    if (!isEmpty) gaps.push({ ...gap, usersBefore, isFirst: known.size === 0, isLast })
    gap = { stored: [], sent: [] }
  }
  const options = { comparator: isSame, maxEditLength: MAX_EDITS }
  // Conversations that differ by more have nothing to do with each other.
  const changes = diffArrays(stored.map(asPlain), sent.map(asPlain), options) ?? []
  for (const { added, removed, count } of changes)
    for (let step = 0; step < count; step++) {
      const one = stored[ofStored]
      if (added) gap.sent.push(ofSent++)
      else if (one !== undefined && removed) {
        gap.stored.push(one)
        ofStored += 1
      } else if (one !== undefined) {
        close(false)
        known.set(ofSent++, one.id)
        if (one.role === 'user') usersBefore += 1
        ofStored += 1
      }
    }
  close(true)
  return gaps
}

/** Stored messages compared beyond as many as were sent. */
const STORED_BEFORE = 200
/** Messages without a counterpart up to which conversations are compared: the cost grows with their square. */
const MAX_EDITS = 500

/** Whether the sent messages of a gap replace the stored ones. */
function isEdit(
  { stored, sent, usersBefore, isFirst, isLast }: Gap,
  all: readonly HistoryMessage[],
  isNamed: boolean,
): boolean {
  const messages = sent.flatMap((index) => all[index] ?? [])
  const compared = isFirst && !isLast ? stored.slice(stored.length - messages.length) : stored
  const [first] = messages
  const [old, answer, ...others] = compared
  if (first === undefined || old === undefined) return false
  // Answers may follow what was edited last: they go with it.
  const isExchange = isLast && messages.length === 1 && first.role === 'user' && old.role === 'user'
  if (isExchange && isFirst)
    return others.length === 0 && answer?.role !== 'user' && isRetyped(old.text, first.text)
  if (isExchange) {
    const isOne = others.length === 0 && answer?.role !== 'user'
    // Another conversation of the same user may have gone on meanwhile.
    const isHere = first.idOf === undefined || old.id.startsWith(first.idOf(old.text))
    return isNamed || (isOne && isHere && (usersBefore > 1 || isAlike(old.text, first.text)))
  }
  if (messages.length !== compared.length) return false
  return messages.every((one, place) => {
    const before = compared[place]
    if (before?.role !== one.role) return false
    return (!isFirst && !isLast) || isNamed || isAlike(before.text, one.text)
  })
}

/** Clients trim and reformat answers; they send the user's words as they are. Secrets are masked in what is stored: its id is the same. */
function isSame(one: HistoryMessage, other: HistoryMessage): boolean {
  if (one.id === other.id) return true
  if (one.role !== other.role) return false
  return one.text === other.text || (one.role === 'assistant' && shareInCommon(one.text, other.text) > 0.9)
}

const asPlain = (message: HistoryMessage): HistoryMessage => ({ ...message, text: plain(message.text) })

const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** Whether one text may be an edit of another: at least half of it stayed. */
const isAlike = (old: string, text: string): boolean => shareInCommon(plain(old), plain(text)) >= 0.5

/** Share of the longer text that is a common beginning or end. */
function shareInCommon(one: string, other: string): number {
  const { before, after } = differenceOf(one, other)
  const longest = Math.max(one.length, other.length, 1)
  return 1 - Math.max(before.length, after.length) / longest
}

/** Whether only a few letters changed, as when a word is corrected. "My son is 5" is no correction of "My dog is 5". */
function isRetyped(old: string, text: string): boolean {
  const { before, after } = differenceOf(plain(old), plain(text))
  const [short, long] = before.length <= after.length ? [before, after] : [after, before]
  return short.length <= 2 && long.length <= 4 && /^\p{L}*$/u.test(before + after)
}

/** What differs between two texts, without their common beginning and end. */
function differenceOf(one: string, other: string): { readonly before: string; readonly after: string } {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  let end = 0
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end++
  return { before: one.slice(start, one.length - end), after: other.slice(start, other.length - end) }
}
