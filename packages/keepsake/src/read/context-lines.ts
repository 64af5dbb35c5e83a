import { findTerms, onOneLine, tellName, zoneOffset, type CountTokens } from '@keepsake/text'
import type { RecallContext, RecalledEvidence, RecalledMemory } from '../retrieval/recall-types.ts'
import { AnalysedText, type AnalysedTexts, type Part } from '../user-state/analysed-text.ts'
import { samePolarity } from '../facts/compare-statements.ts'
import { isQuestioned } from '../memories/evidence.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { subjectOfRole } from '../turns/turn.ts'
import type { FoundAnswer } from './found-memory.ts'

const DAY_MS = 86_400_000
const ELLIPSIS = '…'

/** A line of a context and its memory; `null` for what stands around the memories. */
export interface ContextLine {
  readonly text: string
  readonly memory: string | null
}

/** A line that stands ahead of the memories, and the words it quotes; `null` where it states. */
export interface AheadLine {
  readonly text: string
  readonly quoted: string | null
}

/** Formatted days by their number since 1970. */
const days = new Map<number, string>()
const MAX_DAYS = 4_096

function formatDay(day: number): string {
  const known = days.get(day)
  if (known !== undefined) return known
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10)
  if (days.size >= MAX_DAYS) days.clear()
  days.set(day, text)
  return text
}

/** Formats a day by the clock of the speakers. */
export function dayOf(at: number, evidence: readonly Pick<RecalledEvidence, 'timeZone'>[]): string {
  const timeZone = evidence.find((one) => one.timeZone !== null)?.timeZone ?? null
  return formatDay(Math.floor((at + zoneOffset(timeZone, at) * 60_000) / DAY_MS))
}

/** Quotes a text on one line, so that nothing in it reads as structure or instruction. */
export function quote(text: string): string {
  return JSON.stringify(onOneLine(text))
}

/** Line separators that JSON leaves as they are. */
const SEPARATORS = /[\u0085\u2028\u2029]/g

/** The agent's blocks as lines ahead of a context, line ends escaped. One that does not fit what is left is cut at its end. */
export function fitBlocks(
  blocks: readonly Pick<Memory, 'name' | 'text'>[],
  tokens: number,
  countTokens: CountTokens,
): AheadLine[] {
  let left = tokens
  return blocks.flatMap(({ name, text }) => {
    const characters = Array.from(text.replaceAll(SEPARATORS, '\n'))
    const lineOf = (length: number): string => {
      const isWhole = length >= characters.length
      const shown = JSON.stringify(characters.slice(0, length).join(''))
      return `- [block ${quote(name ?? '')}${isWhole ? '' : ', its beginning'}] ${shown}`
    }
    const longest = longestWithin(characters.length, (length) => costOf(lineOf(length), countTokens) <= left)
    if (longest === 0) return []
    left -= costOf(lineOf(longest), countTokens)
    return [{ text: lineOf(longest), quoted: null }]
  })
}

/** The greatest length, up to one, that fits. */
function longestWithin(length: number, fits: (length: number) => boolean): number {
  if (fits(length)) return length
  let [low, high] = [0, length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** The speaker of a turn, by name where there is one. */
export function speakerOf({ speaker, role }: Pick<RecalledEvidence, 'speaker' | 'role'>): string {
  return speaker === null || /^[\s"<>]*$/.test(speaker) ? subjectOfRole(role) : tellName(speaker)
}

/** The speaker of a turn, marked where most of the turn is not their own word, or was corrected since. */
function voiceOf(turn: Pick<RecalledEvidence, 'speaker' | 'role' | 'corrected'>, text: AnalysedText): string {
  const quoting = turn.role === 'user' && text.isQuoting ? ' (quoting)' : ''
  return `${speakerOf(turn)}${turn.corrected === true ? ' (corrected later)' : quoting}`
}

function utteranceLine(recalled: RecalledMemory): string {
  const turns = recalled.evidence.filter(isReadable).sort((one, other) => one.at - other.at)
  const said = turns.map((turn) => {
    const text = new AnalysedText(turn.text)
    return `${voiceOf(turn, text)}: ${text.quoted}`
  })
  return `- [${dayOf(recalled.memory.validFrom, recalled.evidence)}] ${said.join(' / ')}`
}

/**
 * A statement with the time it holds from, and the earlier versions that say something else. An end is the day on which it was stated, or the last one of a
 * statement that is still so.
 *
 * @param now by which an end has come; every end has when absent
 */
export function statementLine({ memory, evidence }: RecalledMemory, now = Number.POSITIVE_INFINITY): string {
  const until = untilOf(memory, evidence, now)
  const before = memory.past
    .filter(({ text }) => !isContained(text, memory.text))
    .map((version) => `before ${dayOf(version.validUntil, evidence)}: ${quote(version.text)}`)
  const past = before.length === 0 ? '' : ` (${before.join('; ')})`
  return `- [since ${dayOf(memory.validFrom, evidence)}${until}] ${quote(memory.text)}${past}`
}

/** Whether a statement repeats all that an earlier version of it says, as after a refinement. */
function isContained(earlier: string, later: string): boolean {
  const terms = new Set(findTerms(later))
  return samePolarity(earlier, later) && findTerms(earlier).every((term) => terms.has(term))
}

function untilOf(memory: Memory, evidence: RecalledMemory['evidence'], now: number): string {
  // What a model states in many words is doubted for any of them.
  const isDoubted = memory.key !== null && memory.origin.model === null && isQuestioned(memory)
  if (memory.validUntil === null) return isDoubted ? ', put in doubt later' : ''
  // The last moment of a day that was named as the end is on that day.
  return isOver(memory, now)
    ? `, no longer current as of ${dayOf(memory.validUntil, evidence)}`
    : `, until ${dayOf(memory.validUntil - 1, evidence)}`
}

/** One line of the context for a recalled memory, as it stands. */
export function contextLine(recalled: RecalledMemory, now?: number): string {
  return recalled.memory.form === 'utterance' ? utteranceLine(recalled) : statementLine(recalled, now)
}

export interface ClipOptions {
  /** Terms of the question: sentences that hold them are kept before others. */
  readonly terms: ReadonlySet<string>
  /** Budget of the shortened text. Its beginning is kept even where that alone costs more. */
  readonly tokens: number
  readonly countTokens: CountTokens
  /** Whether clauses are left out, and the first ones stay; sentences are when absent. */
  readonly byClauses?: boolean
}

/** Counts the distinct terms of the question that a text holds. */
function countAsked(holds: (term: string) => boolean, terms: ReadonlySet<string>): number {
  let count = 0
  for (const term of terms) if (holds(term)) count += 1
  return count
}

/** Characters that say what a text is about: its first parts are kept up to this length. */
const OPENING = 60

/** Places of parts: the one that bears most on the question, the first ones, others that bear on it, their neighbours, and the rest. */
function placesByWorth(line: string, parts: readonly Part[], terms: ReadonlySet<string>): Iterable<number> {
  const termsOf = (part: Part) => (part.terms ??= findTerms(line.slice(part.start, part.end)))
  const asked = (terms.size === 0 ? [] : parts)
    .map((part, place) => ({ place, asked: countAsked((term) => termsOf(part).includes(term), terms) }))
    .filter((one) => one.asked > 0)
    .sort((one, other) => other.asked - one.asked)
    .map(({ place }) => place)
  const beside = asked.flatMap((place) => [place + 1, place - 1])
  const places = [...asked.slice(0, 1), ...openingOf(parts), ...asked, ...beside, ...parts.keys()]
  return new Set(places.filter((place) => place in parts))
}

function openingOf(parts: readonly Part[]): number[] {
  const last = parts.findIndex(({ end }) => end >= OPENING)
  return [...parts.keys()].slice(0, last < 0 ? parts.length : last + 1)
}

/**
 * Shortens a text to a budget by leaving sentences out: those that bear most on the question stay, with their neighbours. The best one
 * stays whatever it costs. Without a question, clauses are left out. A text that fits is returned on one line.
 *
 * @example
 * const text = new AnalysedText('So, about the weekend. We walked. It rained. I lost my keys at the mill.')
 * clipText(text, { terms: new Set(['key']), tokens: 16, countTokens })
 * // 'So, about the weekend. … I lost my keys at the mill.'
 */
export function clipText(
  text: AnalysedText,
  { terms, tokens, countTokens, byClauses = terms.size === 0 }: ClipOptions,
): string {
  const { line } = text
  if (text.countTokens(countTokens) <= tokens) return line
  const parts = byClauses ? text.clauses : text.sentences
  // Parts are read for the terms of the question that the text holds.
  const places = placesByWorth(line, parts, terms.intersection(text.terms))
  const [best = 0] = places
  const opening = openingOf(parts).length
  const least = byClauses ? opening + (best < opening ? 0 : 1) : 1
  let left = tokens
  const kept: number[] = []
  for (const place of places) {
    const { start = 0, end = 0 } = parts[place] ?? {}
    const cost = countTokens(line.slice(start, end))
    if (cost > left && kept.length >= least) continue
    left -= cost
    kept.push(place)
  }
  kept.sort((one, other) => one - other)
  return joinParts(line, parts, kept)
}

function joinParts(line: string, parts: readonly Part[], kept: readonly number[]): string {
  let text = ''
  let next = 0
  for (const place of kept) {
    const { start = 0, end = 0 } = parts[place] ?? {}
    const gap = place === next ? line.slice(parts[place - 1]?.end ?? 0, start) : ` ${ELLIPSIS} `
    text += `${gap}${line.slice(start, end)}`
    next = place + 1
  }
  return `${text}${next < parts.length ? ` ${ELLIPSIS}` : ''}`.trim()
}

function quoteClipped(text: AnalysedText, options: ClipOptions): string {
  const clipped = clipText(text, options)
  return clipped === text.line ? text.quoted : quote(clipped)
}

export interface ExchangeOptions extends ClipOptions {
  /** Whom the question is about: the user, the agent's words or actions, or neither. */
  readonly asks: FoundAnswer['asks']
}

/** Inserts into a short list before what comes after it. For few elements it takes a fraction of the time of a sort. */
export function insertSorted<Element>(
  list: Element[],
  element: Element,
  isAfter: (other: Element) => boolean,
): void {
  let place = list.length
  for (; place > 0 && isAfter(list[place - 1] as Element); place -= 1)
    list[place] = list[place - 1] as Element
  list[place] = element
}

interface ReadableTurn extends RecalledEvidence {
  readonly text: string
}

export interface SaidTurn {
  readonly turn: ReadableTurn
  readonly text: AnalysedText
}

/** The turns of a memory whose words may be shown, in order of time. */
export function saidTurns({ evidence }: Pick<RecalledMemory, 'evidence'>, texts: AnalysedTexts): SaidTurn[] {
  const turns: SaidTurn[] = []
  for (const turn of evidence) {
    if (!isReadable(turn)) continue
    const said = { turn, text: texts.of(turn.text, turn.turn) }
    insertSorted(turns, said, (other) => other.turn.at > turn.at)
  }
  return turns
}

function isReadable(turn: RecalledEvidence): turn is ReadableTurn {
  return turn.text !== null
}

/** An agent's turn. It is marked where it is about the user and no turn of theirs is shown. */
function formatAgentTurn({ turn, text }: SaidTurn, options: ExchangeOptions, isAlone: boolean): string {
  const isUnconfirmed = isAlone && text.isAboutUser
  return `${speakerOf(turn)}${isUnconfirmed ? ' (unconfirmed)' : ''}: ${quoteClipped(text, options)}`
}

/** Whether an agent's turn answers: it was asked about and found first, or holds terms of the question that the user's turns do not. */
function isAnswer({ turn, text }: SaidTurn, users: readonly SaidTurn[], options: ExchangeOptions): boolean {
  const { terms, asks } = options
  const best = Math.max(0, ...users.map((one) => one.turn.score))
  if (asks === 'assistant') return turn.score >= best
  if (turn.score <= best) return false
  const owned = [...terms].filter((term) => users.some((one) => one.text.terms.has(term)))
  return countAsked((term) => text.terms.has(term), terms) > owned.length
}

/** Replies that neither accept nor answer a statement: “nah”, “thanks”, 嗯. */
const MERE =
  /^[\s\p{P}\p{S}]*(?:(?:no(?:pe)?|nah|not really|what|lol|haha+|hm+|well|ok(?:ay)?|k|thanks?|thank you|thx|ty|cheers|(?:good )?(?:morning|night)|hi|hey|bye|(?:(?:i['’]?ll|i will|will) )?think(?: about it)?|whatever|never mind|yum|嗯+|哦+|好的?|谢谢你?|[哈呵嘿]+|不(?:是|用|了|要)?|没有|算了|再见|早|晚安|知道了|我?再看看)[\s\p{P}\p{S}]*)+$/iu

/** Replies that ask back, put off or doubt, and confirm nothing: “How much is one?”, “Let me check”, 再看看. */
const PUTS_OFF =
  /[?？]\s*$|^[\s\p{P}\p{S}]*(?:(?:ok(?:ay)?|hm+|well|right|oh|ah|yeah|nah|no|嗯+|哦|好的?|那|这)[\s\p{P}\p{S}]*)*(?:maybe|perhaps|possibly|not sure|dunno|(?:i )?do(?:n['’]?t| not) know|depends|let me|lemme|(?:i|we)(?:['’]ll|['’]d| will| would| might| may| should| need to| have to)(?: have)?(?: to)? (?:see|check|look|think|ask|consider|find out|sleep on)|sounds?\b|也许|可能|说不定|再[说看想]|[等让]?我?[去先]?(?:看看|想想|查[查下]|问[问下])|考虑|不(?:知道|清楚|一定|确定)|回头)/iu
/** A reply of as few characters is read as one to a statement, whatever its words. */
const SHORT_REPLY = 30
/** Replies that accept a statement, or correct it. */
const ACCEPTS =
  /^[\s\p{P}\p{S}]*(?:(?:oh|ah|ha(?:ha)*|lol|well|ok(?:ay)?|啊|哦|哈+|嗯)[\s\p{P}\p{S}]+)*(?:y(?:es|eah|ep|up|h|a)\b|aye\b|exactly|indeed|right\b|true\b|correct|absolutely|definitely|totally|spot on|that['’]?s (?:it|right|true)|(?:it|they|she|he|we|i) (?:is|was|are|were|do|does|did|has|have|am|will|would)\b|done\b|will do|deal\b|agreed|good (?:idea|one|call)|on it|no\b|not\b|actually|wrong|对|是[的啊呀]?|没错|就是|当然|确实|正是|好(?:主意|啊|呀|办法)|行|可以|答应|不|没|其实)/iu

/** Whether a user's reply says nothing about a statement of the agent's about them: it is no answer but for what the agent said. */
function isBrushedOff(said: SaidTurn, next: SaidTurn | undefined, { asks, terms }: ExchangeOptions): boolean {
  if (next?.turn.role !== 'user') return false
  const isOfUser = asks === 'user' || (asks === null && said.text.isAboutUser && next.text.isElliptic)
  return isOfUser && !takesUp(said.text, next, terms)
}

/**
 * Whether a reply takes up what was said: it answers a question, accepts or corrects a statement, or repeats a word of it that was not
 * asked.
 */
function takesUp(text: AnalysedText, { turn, text: reply }: SaidTurn, asked: ReadonlySet<string>): boolean {
  const repeats = reply.terms.values().some((term) => text.terms.has(term) && !asked.has(term))
  if (!reply.isElliptic && turn.text.length > SHORT_REPLY) return repeats
  if (/[?？]\s*$/u.test(text.prompt.line)) return true
  return !MERE.test(turn.text) && !PUTS_OFF.test(turn.text) && (repeats || ACCEPTS.test(turn.text))
}

/**
 * Formats an exchange as short as possible: the user's words, and of the agent's what was asked about, what the user's take up, or the
 * question that theirs answer. An agent's word that the user did not take up is no answer about the user. Empty when none of it may be shown.
 */
export function formatExchange(turns: readonly SaidTurn[], options: ExchangeOptions): string {
  const { asks } = options
  const users = turns.filter(({ turn }) => turn.role !== 'assistant')
  const parts = turns.flatMap((said, place): string[] => {
    const { turn, text } = said
    if (turn.role !== 'assistant') return [`${voiceOf(turn, text)}: ${quoteClipped(text, options)}`]
    if (users.length === 0) return asks === 'user' ? [] : [formatAgentTurn(said, options, true)]
    const next = turns[place + 1]
    const isFollowed = next?.turn.role === 'user'
    const isMeant = (): boolean => !isBrushedOff(said, next, options) && (asks !== 'user' || isFollowed)
    if (isAnswer(said, users, options) && isMeant()) return [formatAgentTurn(said, options, false)]
    if (!isFollowed || !next.text.isElliptic || isBrushedOff(said, next, options)) return []
    return [`${speakerOf(turn)}: ${quote(text.prompt.line)}`]
  })
  return parts.join(' / ')
}

/** Puts lines ahead of the memories, without those that quote words which the memories quote as well. */
export function withAhead(ahead: readonly AheadLine[], found: readonly ContextLine[]): ContextLine[] {
  const isFound = ({ quoted }: AheadLine): boolean => {
    if (quoted === null) return false
    const words = quote(quoted).slice(1, -1)
    return found.some(({ text }) => text.includes(words))
  }
  const kept = ahead.filter((line) => !isFound(line))
  return [...kept.map(({ text }): ContextLine => ({ text, memory: null })), ...found]
}

/** No line costs less. */
export const MIN_LINE_TOKENS = 8

export function costOf(line: string, countTokens: CountTokens): number {
  return countTokens(`${line}\n`)
}

/** Joins lines. Lines are counted one by one; the last are left out where a counter finds more in the whole. */
export function joinLines(
  lines: readonly ContextLine[],
  tokens: number,
  countTokens: CountTokens,
): RecallContext {
  const kept = [...lines]
  for (;;) {
    const text = kept.map((line) => line.text).join('\n')
    const cost = text === '' ? 0 : countTokens(text)
    if (kept.length === 0 || cost <= tokens) {
      const shown = [...new Set(kept.flatMap(({ memory }) => memory ?? []))]
      return { text, tokens: cost, memories: shown.length, shown }
    }
    kept.pop()
  }
}
