// Formats memories as lines of a context, shortened to their budget.
import { findTerms, onOneLine, tellName, zoneOffset, type CountTokens } from '@keepsake/text'
import type { RecallContext, RecalledEvidence, RecalledMemory } from '../retrieval/recall-types.ts'
import { AnalysedText, type AnalysedTexts, type Part } from '../user-state/analysed-text.ts'
import { samePolarity } from '../facts/compare-statements.ts'
import { isQuestioned } from '../memories/evidence.ts'
import { isOver, type Memory } from '../memories/memory.ts'
import { subjectOfRole } from '../turns/turn.ts'
import type { FoundAnswer } from './found-memory.ts'
import { takesUp } from './takes-up.ts'

const DAY_MS = 86_400_000
const ELLIPSIS = '…'

/** A line of a context and the id of its memory; `null` for other lines, such as the head of a day. */
export interface ContextLine {
  readonly text: string
  readonly memory: string | null
}

/** A line ahead of the memories, and the words of talk that it quotes; `null` if it quotes none. */
export interface AheadLine {
  readonly text: string
  readonly quoted: string | null
}

/** Caches formatted days by their number since 1970. */
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
  const timeZone = evidence.find((source) => source.timeZone !== null)?.timeZone ?? null
  return formatDay(Math.floor((at + zoneOffset(timeZone, at) * 60_000) / DAY_MS))
}

/** Quotes a text on one line, so that nothing in it reads as structure or instruction. */
export function quote(text: string): string {
  return JSON.stringify(onOneLine(text))
}

/** Line separators that `JSON.stringify` does not escape. */
const SEPARATORS = /[\u0085\u2028\u2029]/g

/** Formats the agent's blocks as lines ahead of a context, with escaped line ends. A block that does not fit is cut at its end. */
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

/** Finds the greatest length that fits, by binary search. */
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

/** Returns the speaker of a turn, by name if there is one. */
export function speakerOf({ speaker, role }: Pick<RecalledEvidence, 'speaker' | 'role'>): string {
  return speaker === null || /^[\s"<>]*$/.test(speaker) ? subjectOfRole(role) : tellName(speaker)
}

/** Returns the speaker of a turn. A mark says that most of the turn quotes others, or that it was corrected later. */
function voiceOf(turn: Pick<RecalledEvidence, 'speaker' | 'role' | 'corrected'>, text: AnalysedText): string {
  const quoting = turn.role === 'user' && text.isQuoting ? ' (quoting)' : ''
  return `${speakerOf(turn)}${turn.corrected === true ? ' (corrected later)' : quoting}`
}

function utteranceLine(recalled: RecalledMemory): string {
  const turns = recalled.evidence.filter(isReadable).sort((a, b) => a.at - b.at)
  const said = turns.map((turn) => {
    const text = new AnalysedText(turn.text)
    return `${voiceOf(turn, text)}: ${text.quoted}`
  })
  return `- [${dayOf(recalled.memory.validFrom, recalled.evidence)}] ${said.join(' / ')}`
}

/**
 * Formats a statement with the day since when it holds, its end, and the earlier versions that say something else.
 *
 * @param now time by which an end counts as past; every end does when absent
 * @example
 * - [since 2026-03-01] "The user lives in Ghent" (before 2026-03-01: "The user lives in Bruges")
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
  // A question about a model's long statement may concern any of its words, so only statements of rules are marked as doubted.
  const isDoubted = memory.key !== null && memory.origin.model === null && isQuestioned(memory)
  if (memory.validUntil === null) return isDoubted ? ', put in doubt later' : ''
  // A fact that holds “until 5 May” ends at the midnight after it. One millisecond less is still that day.
  return isOver(memory, now)
    ? `, no longer current as of ${dayOf(memory.validUntil, evidence)}`
    : `, until ${dayOf(memory.validUntil - 1, evidence)}`
}

/** Formats a recalled memory as one line of the context, without shortening it. */
export function contextLine(recalled: RecalledMemory, now?: number): string {
  return recalled.memory.form === 'utterance' ? utteranceLine(recalled) : statementLine(recalled, now)
}

export interface ClipOptions {
  /** Terms of the question. Sentences with these terms are kept before others. */
  readonly terms: ReadonlySet<string>
  /** Budget of the shortened text. The best sentence, or the first clauses, stay even if they cost more. */
  readonly tokens: number
  readonly countTokens: CountTokens
  /** Whether single clauses are left out instead of sentences. The first clauses then always stay. Default: if `terms` is empty. */
  readonly byClauses?: boolean
}

/** Counts the distinct terms of the question that a text holds. */
function countTermsIn(holds: (term: string) => boolean, terms: ReadonlySet<string>): number {
  let count = 0
  for (const term of terms) if (holds(term)) count += 1
  return count
}

/** Characters of the opening, which says what a text is about. */
const OPENING_LENGTH = 60

/** Ranks the parts of a text: the part with most terms of the question, the opening, other parts with terms, their neighbours, the rest. */
function placesByWorth(line: string, parts: readonly Part[], terms: ReadonlySet<string>): Iterable<number> {
  const termsOf = (part: Part) => (part.terms ??= findTerms(line.slice(part.start, part.end)))
  const withTerms = (terms.size === 0 ? [] : parts)
    .map((part, place) => ({ place, count: countTermsIn((term) => termsOf(part).includes(term), terms) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ place }) => place)
  const neighbours = withTerms.flatMap((place) => [place + 1, place - 1])
  const places = [...withTerms.slice(0, 1), ...openingOf(parts), ...withTerms, ...neighbours, ...parts.keys()]
  return new Set(places.filter((place) => place in parts))
}

function openingOf(parts: readonly Part[]): number[] {
  const last = parts.findIndex(({ end }) => end >= OPENING_LENGTH)
  return [...parts.keys()].slice(0, last < 0 ? parts.length : last + 1)
}

/**
 * Shortens a text to a budget by leaving out sentences, or clauses if there is no question. The sentences with most terms of the question
 * and their neighbours stay. The best one stays even if it costs more than the budget. The result is one line.
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
  // Only terms that the text contains can be in its parts.
  const places = placesByWorth(line, parts, terms.intersection(text.terms))
  const [best = 0] = places
  const opening = openingOf(parts).length
  const isBestInOpening = best < opening
  // Clauses at the opening stay, and so does the best one. Of sentences only the best stays in any case.
  const minParts = byClauses ? opening + (isBestInOpening ? 0 : 1) : 1
  let left = tokens
  const kept: number[] = []
  for (const place of places) {
    const { start = 0, end = 0 } = parts[place] ?? {}
    const cost = countTokens(line.slice(start, end))
    if (cost > left && kept.length >= minParts) continue
    left -= cost
    kept.push(place)
  }
  kept.sort((a, b) => a - b)
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

/** Inserts an element into a short sorted list. For few elements this takes a fraction of the time of a sort. */
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

/** Lists the turns of a memory whose words may be shown, in order of time. */
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

/** Formats an agent's turn. A statement about the user is marked as unconfirmed if no turn of the user is shown with it. */
function formatAgentTurn({ turn, text }: SaidTurn, options: ExchangeOptions, isAlone: boolean): string {
  const isUnconfirmed = isAlone && text.isAboutUser
  return `${speakerOf(turn)}${isUnconfirmed ? ' (unconfirmed)' : ''}: ${quoteClipped(text, options)}`
}

/**
 * Whether an agent's turn answers the question. If the question is about the agent, the turn must score as high as the user's turns.
 * Otherwise it must score higher and have more terms of the question than they have together.
 */
function isAnswer({ turn, text }: SaidTurn, users: readonly SaidTurn[], options: ExchangeOptions): boolean {
  const { terms, asks } = options
  const bestOfUsers = Math.max(0, ...users.map((said) => said.turn.score))
  if (asks === 'assistant') return turn.score >= bestOfUsers
  if (turn.score <= bestOfUsers) return false
  const termsOfUsers = [...terms].filter((term) => users.some((said) => said.text.terms.has(term)))
  return countTermsIn((term) => text.terms.has(term), terms) > termsOfUsers.length
}

/** Whether the user's reply neither accepts nor corrects what the agent said about them. The agent's words are then no answer. */
function isBrushedOff(said: SaidTurn, next: SaidTurn | undefined, { asks, terms }: ExchangeOptions): boolean {
  if (next?.turn.role !== 'user') return false
  const isOfUser = asks === 'user' || (asks === null && said.text.isAboutUser && next.text.isElliptic)
  return isOfUser && !takesUp(said.text, next.text, terms)
}

/**
 * Formats an exchange as short as possible: the user's turns, the agent's turns that answer the question, and the agent's questions that
 * a short turn of the user replies to. Returns an empty text if no turn may be shown.
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
    const isAccepted = (): boolean => !isBrushedOff(said, next, options)
    const mayAnswer = asks !== 'user' || isFollowed
    if (mayAnswer && isAnswer(said, users, options) && isAccepted())
      return [formatAgentTurn(said, options, false)]
    if (!isFollowed || !next.text.isElliptic || !isAccepted()) return []
    // An elliptic reply such as “Two.” is only understood with the question before it.
    return [`${speakerOf(turn)}: ${quote(text.prompt.line)}`]
  })
  return parts.join(' / ')
}

/** Puts lines ahead of the memories. A line is left out if a memory's line quotes the same words. */
export function withAhead(ahead: readonly AheadLine[], found: readonly ContextLine[]): ContextLine[] {
  const isFound = ({ quoted }: AheadLine): boolean => {
    if (quoted === null) return false
    const words = quote(quoted).slice(1, -1)
    return found.some(({ text }) => text.includes(words))
  }
  const kept = ahead.filter((line) => !isFound(line))
  return [...kept.map(({ text }): ContextLine => ({ text, memory: null })), ...found]
}

/** Minimum tokens of any line. */
export const MIN_LINE_TOKENS = 8

export function costOf(line: string, countTokens: CountTokens): number {
  return countTokens(`${line}\n`)
}

/** Joins lines. A counter may find more tokens in the whole text than in its lines. The last lines are then left out. */
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
