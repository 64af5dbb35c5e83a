// Checks the statements of a model against the turns on which they rest.
import { isMostlyUnspoken, normaliseText } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import { locateQuote } from '../../memories/locate-quote.ts'
import type { GroundingLabel, Memory } from '../../memories/memory.ts'
import type { Turn } from '../../turns/turn.ts'
import { compareStatement } from './compare-statement.ts'
import { type Quoted, type WordingDoubt, findDoubt, findInstruction, saysPart } from './find-doubts.ts'
import { DAY_MS, daysOfTimes } from './dates-of-statement.ts'
import { findUnsupported } from './find-unsupported.ts'
import {
  findMissingEvidence,
  isAboutAgent,
  labelOf,
  saysYes,
  wordsOf,
  type Grounding,
} from './ground-candidate.ts'
import { hasHan, matchAnyOf } from './word-lists.ts'

/**
 * Kinds of doubts about a statement, besides those about the wording. `follows`: a name or number may be inferred.
 * `undated`: the turns name no date. `answered`: the agent said it, and the user answered. `completed`: so too, but the
 * user's answer contains a part of it. `instructed`: the words follow an instruction to the memory. `pasted`: the text may
 * be pasted. `differing`: the statement differs from the talk.
 */
type DoubtKind =
  WordingDoubt | 'follows' | 'undated' | 'answered' | 'completed' | 'instructed' | 'pasted' | 'differing'

/** The result of the checks. With `unsure`, a language model decides. */
export type Check =
  | Grounding
  | {
      readonly outcome: 'unsure'
      readonly kind: DoubtKind
      readonly label: GroundingLabel
      readonly reason: string
    }

/** Texts that explain references in a statement, such as pronouns, but do not support the statement. */
export interface GroundingContext {
  readonly before: readonly Turn[]
  readonly known: readonly Pick<Memory, 'text'>[]
  /** The text of the memory that a candidate changes. It supports the unchanged part of the candidate. */
  readonly was?: ReadonlyMap<Candidate, string>
}

/** A doubt about a candidate; `null` if there is none. */
type Doubt =
  | { readonly outcome: 'quarantined'; readonly reason: string }
  | { readonly outcome: 'unsure'; readonly kind: DoubtKind; readonly reason: string }
  | null

/** A candidate with the texts against which it is checked. */
interface CheckInput {
  readonly candidate: Candidate
  readonly label: GroundingLabel
  /** The turns of its evidence, with the quotes as the turns contain them. */
  readonly quotes: readonly Quoted[]
  readonly turns: readonly Turn[]
  readonly context: GroundingContext
}

/**
 * Checks a candidate that a model wrote in its own words. Quarantines candidates with missing evidence, wrong quotes, only
 * the agent's words, or names and numbers that do not occur in the talk. Leaves possible inferences open (dates, spellings,
 * pronouns, answers), and also words that assert nothing (questions, suppositions, quotations).
 *
 * @param turns the turns of the segment
 * @param context preceding turns and known memories; names that only these contain are left open
 * @see groundByModel, which decides on open candidates
 *
 * @example
 * checkCandidate(movesInMay, turns) // { outcome: 'unsure', label: 'user-stated', reason: '"May" …' }
 */
export function checkCandidate(
  candidate: Candidate,
  turns: readonly Turn[],
  context: GroundingContext = { before: [], known: [] },
): Check {
  const byId = new Map(turns.map((turn) => [turn.id, turn]))
  const label = labelOf(candidate, byId)
  const missing = findMissingEvidence(candidate, byId)
  if (missing !== null) return { outcome: 'quarantined', label, reason: missing }
  if (candidate.form === 'utterance') return { outcome: 'grounded', label }
  const quotes = candidate.evidence.flatMap(({ turn: id, quote }): Quoted[] => {
    const turn = byId.get(id)
    return turn === undefined ? [] : [{ turn, quote: quote === null ? null : locateQuote(turn.text, quote) }]
  })
  const input = { candidate, label, quotes, turns, context }
  const instruction = checkInstruction(input)
  const wording = [checkNamesAndNumbers(input), checkWording(input)]
  // The model is not asked, because it may obey the instruction.
  if (instruction !== null && wording.some((doubt) => doubt !== null))
    return { outcome: 'quarantined', label, reason: `${instruction.reason}, and do not say all that it says` }
  const doubts = [instruction, checkPasting(input), checkSpeaker(input), ...wording, checkDifference(input)]
  const decisive =
    doubts.find((doubt) => doubt?.outcome === 'quarantined') ??
    doubts.find((doubt) => doubt?.outcome === 'unsure' && !REMOVED_BY_ATTRIBUTION.has(doubt.kind)) ??
    doubts.find((doubt) => doubt !== null) ??
    null
  return decisive === null ? { outcome: 'grounded', label } : { ...decisive, label }
}

/**
 * Decides an open check by the extractor's attribution of the statement. Quarantined candidates stay quarantined.
 *
 * @param label the extractor's attribution, `other` if unclear
 * @returns `null` if the attribution does not decide
 */
export function decideByAttribution(
  check: Check,
  label: GroundingLabel | undefined,
  candidate: Candidate,
  turns: readonly Turn[],
): Grounding | null {
  if (check.outcome === 'quarantined' || label === undefined) return null
  if (label === 'agent-stated' && check.label !== 'other')
    return isAboutAgent(candidate, turns)
      ? { outcome: 'grounded', label }
      : { outcome: 'quarantined', label, reason: 'only the agent said so' }
  if (label !== 'user-stated' && label !== 'user-confirmed') return null
  if (check.outcome === 'grounded') return check
  return REMOVED_BY_ATTRIBUTION.has(check.kind) ? { outcome: 'grounded', label } : null
}

/** Checks whether the words are an instruction to the memory, or follow one. */
function checkInstruction({ quotes }: CheckInput): Doubt {
  const relations = quotes.map(({ turn, quote }) => findInstruction(turn.text, quote))
  if (relations.includes('is'))
    return { outcome: 'quarantined', reason: 'its words are an instruction to the memory, not a statement' }
  return relations.includes('after')
    ? { outcome: 'unsure', kind: 'instructed', reason: 'its words follow an instruction to the memory' }
    : null
}

const EDITING_VERBS = [
  'summari[sz]e|translate|proofread|rewrite|rephrase|edit|correct|shorten',
  'analy[sz]e|explain|reply to|answer|read|check|review',
].join('|')
const KINDS_OF_TEXT = [
  'page|article|e-?mail|mail|message|letter|text|post|story|transcript|chat|document|doc|note',
  'paragraph|passage|review|essay|draft|log|excerpt|website|web ?page|form|cv|bio',
].join('|')
const OTHER_INTRODUCTIONS = "forwarded|fwd|copied|pasted|wrote|writes|here(?:[’']s| is) (?:what|the|a|an)"
const CHINESE_INTRODUCTIONS = [
  '总结|概括|翻译|润色|改写|改一?下|缩写|分析|解释|看看|看一?下|读一?下|回复|检查|校对|转发',
  '原文|如下|以下|下面|这(?:篇|封|段|条|份|则)|那(?:篇|封|段|条|份|则)|网页|文章|邮件|聊天记录|作文|日记|故事',
].join('|')
/** Matches the introduction of pasted text: “Please summarise this article:”, 帮我翻译一下:. */
const PASTE_INTRODUCTION = new RegExp(
  [
    String.raw`\b(?:${EDITING_VERBS}|(?:this|the|following|below|an?) (?:${KINDS_OF_TEXT})|${OTHER_INTRODUCTIONS})\b[^\n]{0,80}[:：]`,
    String.raw`(?:${CHINESE_INTRODUCTIONS})[^\n]{0,40}[:：]`,
  ].join('|'),
  'i',
)
/** A turn with this many lines is probably a document. Chosen, not measured. */
const DOCUMENT_LINES = 8
const FIRST_PERSON_WORDS = 'I|me|my|we|our|us|ich|mir|mein\\p{L}*|je|mon|ma|mes|yo|mis?|eu|meus?|minhas?'
/** Matches a last line below an empty line that does not mention the user: a question about the text above it. */
const QUESTION_BELOW = new RegExp(
  String.raw`\n\s*\n(?!.*(?:(?<!\p{L})(?:${FIRST_PERSON_WORDS})(?!\p{L})|[我私]|제|저|내))[^\n]{1,120}\s*$`,
  'iu',
)

/** Checks whether all words of the user may be pasted text without quotation marks. */
function checkPasting({ quotes }: CheckInput): Doubt {
  const ofUser = quotes.filter(({ turn }) => turn.role === 'user')
  return ofUser.length > 0 && ofUser.every(mayBePasted)
    ? { outcome: 'unsure', kind: 'pasted', reason: 'its words may be of a text that was handed over' }
    : null
}

/** Checks for words after the introduction of a text, above a question about it, or among many lines. */
function mayBePasted({ turn: { text }, quote }: Quoted): boolean {
  const start = quote === null ? text.length : text.indexOf(quote)
  const introduction = PASTE_INTRODUCTION.exec(text)
  if (introduction !== null && introduction.index + introduction[0].length <= start) return true
  const question = QUESTION_BELOW.exec(text)
  if (question !== null && (quote === null || start < question.index)) return true
  return text.split('\n').filter((line) => line.trim() !== '').length >= DOCUMENT_LINES
}

/** Checks the speaker. A fact about the user must be the user's statement. Agents may speak about themselves. */
function checkSpeaker({ candidate, label, quotes, turns }: CheckInput): Doubt {
  if (candidate.form !== 'fact' || label === 'user-stated' || label === 'user-confirmed') return null
  const isOfUser = isAboutUser(candidate, turns)
  if (label === 'other')
    return isOfUser ? { outcome: 'quarantined', reason: 'neither the user nor the agent said so' } : null
  const agentQuotes = quotes.filter(({ turn }) => turn.role === 'assistant')
  const isOfSpeaker = agentQuotes.some(({ turn }) => turn.speaker === candidate.subject)
  if (!isOfUser && (candidate.subject === 'agent' || isOfSpeaker)) return null
  const userQuotes = quotes.filter(({ turn }) => turn.role === 'user')
  if (userQuotes.length > 0) {
    const kind = saysPart(candidate, userQuotes, agentQuotes) ? 'completed' : 'answered'
    return { outcome: 'unsure', kind, reason: 'the agent said it, and the user’s answer must be read' }
  }
  const mayBeAgreed = quotes.some(({ turn }) => {
    const next = turns[turns.indexOf(turn) + 1]
    return next?.role === 'user' && saysYes(next.text)
  })
  if (mayBeAgreed)
    return { outcome: 'unsure', kind: 'answered', reason: 'the agent said it, and the user may have agreed' }
  const reason = 'only the agent said so; the user neither stated nor confirmed it'
  return { outcome: 'quarantined', reason }
}

function isAboutUser({ subject, text }: Candidate, turns: readonly Turn[]): boolean {
  const names = turns.flatMap((turn) => (turn.role === 'user' ? (turn.speaker ?? []) : []))
  return (
    subject === 'user' ||
    names.includes(subject) ||
    /^(?:the )?user\b|^用户/iu.test(text) ||
    names.some((name) => text.startsWith(name))
  )
}

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december'
const WEEKDAYS = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
/** Beginnings of words that count or date. */
const COUNTING_STEMS = [
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|half|couple|few',
  'twice|both|pair|first|second|third|today|tomorrow|tonight|yesterday|ago|last|next|this|since',
  `week|month|year|weekend|morning|night|${WEEKDAYS}|${MONTHS}`,
  'teens?|twent|thirt|fort|fift|sixt|sevent|eight|ninet',
].join('|')
/** Matches words from which a number or date may be computed: “a couple of weeks ago”, 去年. */
const COUNTS_OR_DATES = new RegExp(
  [
    String.raw`\d|[〇零一二三四五六七八九十百千万两半几双]|\b(?:${COUNTING_STEMS})\w*`,
    String.raw`\b(?:spring|summer|autumn|fall|winter|christmas|easter|new year)\b`,
    '昨|今|明|前天|后天|去年|周|星期|礼拜|月|节|元旦|[春夏秋冬]',
  ].join('|'),
  'i',
)
/** Matches references that other turns may explain: “my wife”, 他. */
const REFERENCE = matchAnyOf({
  words: [
    'he|she|him|her|his|hers|they|them|their|this|that|there|here|my|our',
    'wife|husband|partner|boyfriend|girlfriend|mum|mom|dad|mother|father|sister|brother|son|daughter|friend|boss',
  ],
  others: ['[他她它]|这|那|咱|我[的们]?|老[公婆板师]|爸|妈|哥|姐|弟|妹|朋友'],
})
const CALENDAR_NAME = new RegExp(`^${WEEKDAYS}s?$|^(?:${MONTHS})$`, 'i')

/** Checks for names, numbers and dates of the statement that its evidence does not contain. */
function checkNamesAndNumbers({ candidate, quotes, turns, context }: CheckInput): Doubt {
  const evidenceTurns = quotes.map((quote) => quote.turn)
  const quoted = wordsOf(candidate.evidence, new Map(turns.map((turn) => [turn.id, turn])), null)
  const formerText = context.was?.get(candidate) ?? ''
  // A quote may refer to other words of its turn, so the whole turns are searched.
  const evidenceText = normaliseText([...evidenceTurns.map((turn) => turn.text), formerText].join('\n'))
  const dates = namesOfDates(candidate, evidenceTurns)
  const missing = findUnsupported(candidate, quoted, evidenceTurns).filter(
    (part) => !evidenceText.includes(normaliseText(part)) && !dates.has(part.toLowerCase()),
  )
  if (missing.length === 0) {
    if (!hasUnsupportedDate(candidate, evidenceTurns)) return null
    return { outcome: 'unsure', kind: 'undated', reason: 'its words do not tell of the time it is dated to' }
  }
  const talk = [...turns, ...context.before, ...context.known].map(({ text }) => text).join('\n')
  const invented = missing.find((part) => !mayFollow(part, talk, evidenceText, candidate))
  if (invented !== undefined)
    return { outcome: 'quarantined', reason: `"${invented}" is nowhere in the talk` }
  const reason = `"${missing[0]}" is not in its evidence, but may follow from the talk`
  return { outcome: 'unsure', kind: 'follows', reason }
}

// Created once, because the creation of a format is slow.
const monthOf = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
const weekdayOf = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** Returns the names of the months and weekdays of the statement and the turns. `findUnsupported` allows their numbers. */
function namesOfDates(candidate: Candidate, turns: readonly Turn[]): Set<string> {
  const days = daysOfTimes(candidate, turns)
  return new Set(days.flatMap((day) => [monthOf, weekdayOf].map((names) => names.format(day).toLowerCase())))
}

/** Checks for a statement that is dated before its turns, although their words contain no date. */
function hasUnsupportedDate(candidate: Candidate, turns: readonly Turn[]): boolean {
  if (candidate.form !== 'fact' || turns.length === 0) return false
  const earliest = Math.min(...turns.map((turn) => turn.at))
  return candidate.validFrom < earliest - DAY_MS && !turns.some((turn) => COUNTS_OR_DATES.test(turn.text))
}

const HOLIDAY = /^(?:christmas|easter|halloween|thanksgiving|ramadan|eid|diwali|hanukkah)$/i

/** Checks whether a name or number may be inferred from the talk. */
function mayFollow(part: string, talk: string, evidence: string, candidate: Candidate): boolean {
  if (HOLIDAY.test(part)) return true
  if (normaliseText(talk).includes(normaliseText(part))) return true
  if (isCounted(part)) return COUNTS_OR_DATES.test(evidence)
  const isOtherScript = hasHan(evidence) !== hasHan(candidate.text)
  return isOtherScript || isShortFor(part, talk) || REFERENCE.test(evidence) || hasHan(evidence)
}

/** Checks for a number, a month or a weekday, which may be computed from others. */
function isCounted(part: string): boolean {
  return /^[\d〇零一二三四五六七八九十百千万两]/.test(part) || CALENDAR_NAME.test(part)
}

/** Checks whether a name or number of a summary occurs nowhere in the talk, and cannot be inferred from it. */
export function isInvented(part: string, talk: string, summary: string): boolean {
  if (normaliseText(talk).includes(normaliseText(part)) || hasHan(talk) !== hasHan(summary)) return false
  return isCounted(part) ? !COUNTS_OR_DATES.test(talk) : !isShortFor(part, talk)
}

/** Checks whether the talk contains a shorter or longer form of a name: “Rob” and “Robert”, “NYC” and “New York City”. */
function isShortFor(name: string, talk: string): boolean {
  const letters = normaliseText(name)
  const words = normaliseText(talk).match(/[\p{L}\p{N}]+/gu) ?? []
  const hasOtherForm = words.some((word) => {
    if (Math.min(word.length, letters.length) < 3) return false
    return word.startsWith(letters) || letters.startsWith(word)
  })
  const initials = words.map((word) => word[0] ?? '').join('')
  return hasOtherForm || initials.includes(letters)
}

/** Checks whether the words of the evidence state the candidate. Confirmed candidates need no check, as the agent worded them. */
function checkWording({ candidate, label, quotes, turns }: CheckInput): Doubt {
  if (label === 'user-confirmed') return null
  const statingQuotes = label === 'user-stated' ? quotes.filter(({ turn }) => turn.role === 'user') : quotes
  const doubt = findDoubt(candidate, statingQuotes, turns)
  if (doubt === null) return null
  const isPasted = statingQuotes.every(({ turn }) => turn.role === 'user' && isMostlyUnspoken(turn.text))
  // The model is not asked about pasted text, because it may believe the text.
  return doubt.kind === 'unspoken' && isPasted
    ? { outcome: 'quarantined', reason: 'its words are of a text or a talk that is not the user’s' }
    : { outcome: 'unsure', ...doubt }
}

/** Compares the statement word by word with the talk. */
function checkDifference({ candidate, label, quotes, turns, context }: CheckInput): Doubt {
  if (candidate.form !== 'fact') return null
  const { before, known, was } = context
  const texts = [...before, ...known].map(({ text }) => text)
  const difference = compareStatement(candidate, {
    quotes,
    turns,
    context: [...texts, was?.get(candidate) ?? ''].join('\n'),
    isConfirmed: label === 'user-confirmed',
  })
  if (difference === null) return null
  const { outcome, reason } = difference
  return outcome === 'wrong'
    ? { outcome: 'quarantined', reason }
    : { outcome: 'unsure', kind: 'differing', reason }
}

/** Doubts about inferences and rewording. They are removed if the extractor attributed the statement to the user. */
const REMOVED_BY_ATTRIBUTION: ReadonlySet<DoubtKind> = new Set([
  'follows',
  'undated',
  'reworded',
  'completed',
])
