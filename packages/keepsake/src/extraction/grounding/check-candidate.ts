import { isMostlyUnspoken, normaliseText } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import { locateQuote } from '../../memories/evidence.ts'
import type { GroundingLabel, Memory } from '../../memories/memory.ts'
import type { Turn } from '../../turns/turn.ts'
import { compareStatement } from './compare-statement.ts'
import { type Quoted, type WordingDoubt, findDoubt, findInstruction, saysPart } from './find-doubts.ts'
import { DAY_MS, daysOfTimes, findUnsupported, hasHan } from './find-unsupported.ts'
import {
  findMissingEvidence,
  isAboutAgent,
  labelOf,
  saysYes,
  wordsOf,
  type Grounding,
} from './ground-candidate.ts'

/**
 * Kinds of open questions besides those of the wording. `follows`: a name or number may be inferred. `undated`: nothing
 * dates it. `answered`: the agent said it and the user answered. `completed`: the answer also says a part of it.
 * `instructed`: it follows an instruction to the memory. `pasted`: it may be pasted text. `differing`: it differs from
 * what was said.
 */
type DoubtKind =
  WordingDoubt | 'follows' | 'undated' | 'answered' | 'completed' | 'instructed' | 'pasted' | 'differing'

/** The result of the checks. `unsure` is left open for a language model. */
export type Check =
  | Grounding
  | {
      readonly outcome: 'unsure'
      readonly kind: DoubtKind
      readonly label: GroundingLabel
      readonly reason: string
    }

/** What explains references in a statement and proves nothing by itself. */
export interface GroundingContext {
  readonly before: readonly Turn[]
  readonly known: readonly Pick<Memory, 'text'>[]
  /** The text of the memory that a candidate changes. It supports what the candidate keeps of it. */
  readonly was?: ReadonlyMap<Candidate, string>
}

/**
 * Doubts that the extractor's attribution to the user removes: inferences and rewording. Whether words were meant, or an
 * answer was a yes, is checked all the same.
 */
const REMOVED_BY_READING: ReadonlySet<DoubtKind> = new Set(['follows', 'undated', 'reworded', 'completed'])

/** A doubt about a candidate; `null` if there is none. */
type Doubt =
  | { readonly outcome: 'quarantined'; readonly reason: string }
  | { readonly outcome: 'unsure'; readonly kind: DoubtKind; readonly reason: string }
  | null

/** A candidate with what it is checked against. */
interface CheckInput {
  readonly candidate: Candidate
  readonly label: GroundingLabel
  /** Its evidence in the words of the turns. */
  readonly quotes: readonly Quoted[]
  readonly turns: readonly Turn[]
  readonly context: GroundingContext
}

/**
 * Checks a candidate that a model worded. Quarantines missing evidence, wrong quotes, statements of the agent alone, and
 * names or numbers that nothing explains. Leaves possible inferences (dates, spellings, pronouns, answers) open, and words
 * that assert nothing (questions, suppositions, quotations).
 *
 * @param turns the turns of the segment
 * @param context preceding turns and known memories; a name from there is left open
 * @see groundByModel for what is left open
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
  // A model may obey the instruction, so it is not asked.
  if (instruction !== null && wording.some((doubt) => doubt !== null))
    return { outcome: 'quarantined', label, reason: `${instruction.reason}, and do not say all that it says` }
  const doubts = [instruction, checkPasting(input), checkSpeaker(input), ...wording, checkDifference(input)]
  const decisive =
    doubts.find((doubt) => doubt?.outcome === 'quarantined') ??
    doubts.find((doubt) => doubt?.outcome === 'unsure' && !REMOVED_BY_READING.has(doubt.kind)) ??
    doubts.find((doubt) => doubt !== null) ??
    null
  return decisive === null ? { outcome: 'grounded', label } : { ...decisive, label }
}

/**
 * Decides a check by the extractor's attribution of the words. Quarantined candidates stay so.
 *
 * @param label the extractor's attribution, `other` if unclear
 * @returns `null` if the attribution does not decide
 */
export function settleByReading(
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
  return REMOVED_BY_READING.has(check.kind) ? { outcome: 'grounded', label } : null
}

/** Checks whether the words are an instruction to the memory, or follow one. */
function checkInstruction({ quotes }: CheckInput): Doubt {
  const found = quotes.map(({ turn, quote }) => findInstruction(turn.text, quote))
  if (found.includes('is'))
    return { outcome: 'quarantined', reason: 'its words are an instruction to the memory, not a statement' }
  return found.includes('after')
    ? { outcome: 'unsure', kind: 'instructed', reason: 'its words follow an instruction to the memory' }
    : null
}

/** Matches the introduction of pasted text. */
const PASTE_INTRODUCTION =
  /\b(?:summari[sz]e|translate|proofread|rewrite|rephrase|edit|correct|shorten|analy[sz]e|explain|reply to|answer|read|check|review|(?:this|the|following|below|an?) (?:page|article|e-?mail|mail|message|letter|text|post|story|transcript|chat|document|doc|note|paragraph|passage|review|essay|draft|log|excerpt|website|web ?page|form|cv|bio)|forwarded|fwd|copied|pasted|wrote|writes|here(?:[’']s| is) (?:what|the|a|an))\b[^\n]{0,80}[:：]|(?:总结|概括|翻译|润色|改写|改一?下|缩写|分析|解释|看看|看一?下|读一?下|回复|检查|校对|转发|原文|如下|以下|下面|这(?:篇|封|段|条|份|则)|那(?:篇|封|段|条|份|则)|网页|文章|邮件|聊天记录|作文|日记|故事)[^\n]{0,40}[:：]/i
/** Number of lines from which a turn is likely a document. */
const DOCUMENT_LINES = 8
/** Matches a last line that asks about the text above it and does not mention the user. */
const QUESTION_BELOW =
  /\n\s*\n(?!.*(?:(?<!\p{L})(?:I|me|my|we|our|us|ich|mir|mein\p{L}*|je|mon|ma|mes|yo|mis?|eu|meus?|minhas?)(?!\p{L})|[我私]|제|저|내))[^\n]{1,120}\s*$/iu

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

/** Checks who said it: a fact about the user must be the user's statement; agents may speak about themselves. */
function checkSpeaker({ candidate, label, quotes, turns }: CheckInput): Doubt {
  if (candidate.form !== 'fact' || label === 'user-stated' || label === 'user-confirmed') return null
  const isOfUser = isAboutUser(candidate, turns)
  if (label === 'other')
    return isOfUser ? { outcome: 'quarantined', reason: 'neither the user nor the agent said so' } : null
  const ofAgent = quotes.filter(({ turn }) => turn.role === 'assistant')
  const isOfSpeaker = ofAgent.some(({ turn }) => turn.speaker === candidate.subject)
  if (!isOfUser && (candidate.subject === 'agent' || isOfSpeaker)) return null
  const ofUser = quotes.filter(({ turn }) => turn.role === 'user')
  if (ofUser.length > 0) {
    const kind = saysPart(candidate, ofUser, ofAgent) ? 'completed' : 'answered'
    return { outcome: 'unsure', kind, reason: 'the agent said it, and the user’s answer must be read' }
  }
  const isAgreedTo = quotes.some(({ turn }) => {
    const next = turns[turns.indexOf(turn) + 1]
    return next?.role === 'user' && saysYes(next.text)
  })
  return isAgreedTo
    ? { outcome: 'unsure', kind: 'answered', reason: 'the agent said it, and the user may have agreed' }
    : {
        outcome: 'quarantined',
        reason: 'only the agent said so; the user neither stated nor confirmed it',
      }
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

/** Matches words from which a number or date may be computed. */
const COUNTS_OR_DATES =
  /\d|[〇零一二三四五六七八九十百千万两半几双]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|half|couple|few|twice|both|pair|first|second|third|today|tomorrow|tonight|yesterday|ago|last|next|this|since|week|month|year|weekend|morning|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|teens?|twent|thirt|fort|fift|sixt|sevent|eight|ninet)\w*|\b(?:spring|summer|autumn|fall|winter|christmas|easter|new year)\b|昨|今|明|前天|后天|去年|周|星期|礼拜|月|节|元旦|[春夏秋冬]/i
/** Matches references that may be resolved elsewhere in the talk. */
const REFERENCE =
  /\b(?:he|she|him|her|his|hers|they|them|their|this|that|there|here|my|our|wife|husband|partner|boyfriend|girlfriend|mum|mom|dad|mother|father|sister|brother|son|daughter|friend|boss)\b|[他她它]|这|那|咱|我[的们]?|老[公婆板师]|爸|妈|哥|姐|弟|妹|朋友/i
const CALENDAR_NAME =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i

/** Checks for names, numbers and dates of the statement that its evidence lacks. */
function checkNamesAndNumbers({ candidate, quotes, turns, context }: CheckInput): Doubt {
  const evidenceTurns = quotes.map((quote) => quote.turn)
  const quoted = wordsOf(candidate.evidence, new Map(turns.map((turn) => [turn.id, turn])), null)
  // The whole turn explains references of its quote.
  const was = context.was?.get(candidate) ?? ''
  const own = normaliseText([...evidenceTurns.map((turn) => turn.text), was].join('\n'))
  const dates = namesOfDates(candidate, evidenceTurns)
  const missing = findUnsupported(candidate, quoted, evidenceTurns).filter(
    (part) => !own.includes(normaliseText(part)) && !dates.has(part.toLowerCase()),
  )
  if (missing.length === 0)
    return isDatedByNothing(candidate, evidenceTurns)
      ? { outcome: 'unsure', kind: 'undated', reason: 'its words do not tell of the time it is dated to' }
      : null
  const talk = [...turns, ...context.before, ...context.known].map(({ text }) => text).join('\n')
  const invented = missing.find((part) => !mayFollow(part, talk, own, candidate))
  return invented === undefined
    ? {
        outcome: 'unsure',
        kind: 'follows',
        reason: `"${missing[0]}" is not in its evidence, but may follow from the talk`,
      }
    : { outcome: 'quarantined', reason: `"${invented}" is nowhere in the talk` }
}

// Created once, because creation is slow.
const monthOf = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
const weekdayOf = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** Returns the names of months and weekdays of the statement's and turns' times; `findUnsupported` allows the numbers. */
function namesOfDates(candidate: Candidate, turns: readonly Turn[]): Set<string> {
  const days = daysOfTimes(candidate, turns)
  return new Set(days.flatMap((day) => [monthOf, weekdayOf].map((names) => names.format(day).toLowerCase())))
}

/** Checks for a date before the turns although their words contain no date. */
function isDatedByNothing(candidate: Candidate, turns: readonly Turn[]): boolean {
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

/** Checks for a number, a month or a weekday, which may be computed. */
function isCounted(part: string): boolean {
  return /^[\d〇零一二三四五六七八九十百千万两]/.test(part) || CALENDAR_NAME.test(part)
}

/** Checks whether a name or number of a summary occurs nowhere in the talk, and cannot be inferred from it. */
export function isInvented(part: string, talk: string, summary: string): boolean {
  if (normaliseText(talk).includes(normaliseText(part)) || hasHan(talk) !== hasHan(summary)) return false
  return isCounted(part) ? !COUNTS_OR_DATES.test(talk) : !isShortFor(part, talk)
}

/** Checks for short forms: "Rob" and "Robert", "NYC" and "New York City". */
function isShortFor(name: string, talk: string): boolean {
  const letters = normaliseText(name)
  const words = normaliseText(talk).match(/[\p{L}\p{N}]+/gu) ?? []
  const isCut = words.some(
    (word) =>
      Math.min(word.length, letters.length) >= 3 && (word.startsWith(letters) || letters.startsWith(word)),
  )
  const initials = words.map((word) => word[0] ?? '').join('')
  return isCut || initials.includes(letters)
}

/** Checks whether the words were meant as a statement, and say it. Confirmed statements are in the agent's words. */
function checkWording({ candidate, label, quotes, turns }: CheckInput): Doubt {
  if (label === 'user-confirmed') return null
  const own = label === 'user-stated' ? quotes.filter(({ turn }) => turn.role === 'user') : quotes
  const doubt = findDoubt(candidate, own, turns)
  if (doubt === null) return null
  // A model may believe a pasted text. It is not asked if hardly a word of the turn is the user's.
  const isOfOthers = own.every(({ turn }) => turn.role === 'user' && isMostlyUnspoken(turn.text))
  return doubt.kind === 'unspoken' && isOfOthers
    ? { outcome: 'quarantined', reason: 'its words are of a text or a talk that is not the user’s' }
    : { outcome: 'unsure', ...doubt }
}

/** Compares the statement word by word with what was said. */
function checkDifference({ candidate, label, quotes, turns, context }: CheckInput): Doubt {
  if (candidate.form !== 'fact') return null
  const { before, known, was } = context
  const texts = [...before, ...known].map(({ text }) => text)
  const difference = compareStatement(candidate, {
    quotes,
    turns,
    around: [...texts, was?.get(candidate) ?? ''].join('\n'),
    isConfirmed: label === 'user-confirmed',
  })
  if (difference === null) return null
  const { outcome, reason } = difference
  return outcome === 'wrong'
    ? { outcome: 'quarantined', reason }
    : { outcome: 'unsure', kind: 'differing', reason }
}
