import { isBlank, isMostlyUnspoken, normaliseText } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import { locateQuote } from '../../memories/locate-quote.ts'
import type { GroundingLabel, Memory } from '../../memories/memory.ts'
import type { Turn } from '../../turns/turn.ts'
import { type Quoted, type WordingDoubt, findDoubt, findInstruction, saysPart } from './find-doubts.ts'
import { compareStatement } from './compare-statement.ts'
import { DAY_MS, daysOfTimes, findUnsupported, hasHan } from './find-unsupported.ts'
import { isOfAgent, labelOf, saysYes, wordsOf } from './label-candidate.ts'

/** The outcome of grounding, with label and reason. */
export type Grounding =
  | {
      readonly outcome: 'grounded'
      readonly label: GroundingLabel
      /** The supported part of the statement; all of it when absent. */
      readonly text?: string
    }
  | { readonly outcome: 'quarantined'; readonly label: GroundingLabel; readonly reason: string }

/** Matches introductions of pasted text. */
const HANDED_OVER =
  /\b(?:summari[sz]e|translate|proofread|rewrite|rephrase|edit|correct|shorten|analy[sz]e|explain|reply to|answer|read|check|review|(?:this|the|following|below|an?) (?:page|article|e-?mail|mail|message|letter|text|post|story|transcript|chat|document|doc|note|paragraph|passage|review|essay|draft|log|excerpt|website|web ?page|form|cv|bio)|forwarded|fwd|copied|pasted|wrote|writes|here(?:[’']s| is) (?:what|the|a|an))\b[^\n]{0,80}[:：]|(?:总结|概括|翻译|润色|改写|改一?下|缩写|分析|解释|看看|看一?下|读一?下|回复|检查|校对|转发|原文|如下|以下|下面|这(?:篇|封|段|条|份|则)|那(?:篇|封|段|条|份|则)|网页|文章|邮件|聊天记录|作文|日记|故事)[^\n]{0,40}[:：]/i
/** From this many lines, a turn is likely a document. */
const LINES_OF_DOCUMENT = 8
/** Matches a line below a text which asks about it and does not speak of the user. */
const ASKS_BELOW =
  /\n\s*\n(?!.*(?:(?<!\p{L})(?:I|me|my|we|our|us|ich|mir|mein\p{L}*|je|mon|ma|mes|yo|mis?|eu|meus?|minhas?)(?!\p{L})|[我私]|제|저|내))[^\n]{1,120}\s*$/iu

/**
 * Checks whether words may be pasted text without quotation marks: after an introduction, or among many lines.
 *
 * @param quote words of the turn; `null` for all of it
 */
function mayBePasted(text: string, quote: string | null): boolean {
  const index = quote === null ? text.length : text.indexOf(quote)
  const handed = HANDED_OVER.exec(text)
  if (handed !== null && handed.index + handed[0].length <= index) return true
  const asked = ASKS_BELOW.exec(text)
  if (asked !== null && (quote === null || index < asked.index)) return true
  return text.split('\n').filter((line) => line.trim() !== '').length >= LINES_OF_DOCUMENT
}

/**
 * Kinds of open questions besides wording. `follows`: a name or number may be inferred. `undated`: nothing dates it.
 * `answered`: the agent said it and the user answered. `completed`: the answer also says a part of it. `instructed`:
 * it follows an instruction to the memory. `pasted`: it may be pasted text.
 */
export type DoubtKind =
  WordingDoubt | 'follows' | 'undated' | 'answered' | 'completed' | 'instructed' | 'pasted' | 'differing'

/** The result of cheap checks; a language model decides on `unsure`. */
export type Check =
  | Grounding
  | {
      readonly outcome: 'unsure'
      readonly kind: DoubtKind
      readonly label: GroundingLabel
      readonly reason: string
    }

/** Context that explains references and proves nothing. */
export interface GroundingContext {
  readonly before: readonly Turn[]
  readonly known: readonly Pick<Memory, 'text'>[]
  /** The text of a memory that a candidate changes, which supports what is kept of it. */
  readonly was?: ReadonlyMap<Candidate, string>
}

const NO_CONTEXT: GroundingContext = { before: [], known: [] }

/**
 * Doubts that an extractor's attribution to the user settles: inferences and rewording. Whether words were meant, or
 * an answer was a yes, is checked again.
 */
const IS_SETTLED_BY_READING: ReadonlySet<DoubtKind> = new Set(['follows', 'undated', 'reworded', 'completed'])

type Doubt =
  | { readonly outcome: 'quarantined'; readonly reason: string }
  | { readonly outcome: 'unsure'; readonly kind: DoubtKind; readonly reason: string }
  | null

/**
 * Checks a model's candidate. Quarantines missing evidence, wrong quotes, claims of the agent alone, and unexplained
 * names or numbers. Leaves possible inferences (dates, spellings, pronouns, answers) and non-assertions (questions,
 * suppositions, quotations) open.
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
  context: GroundingContext = NO_CONTEXT,
): Check {
  const byId = new Map(turns.map((turn) => [turn.id, turn]))
  const label = labelOf(candidate, byId)
  const quotes = candidate.evidence.flatMap(({ turn: id, quote }): Quoted[] => {
    const turn = byId.get(id)
    return turn === undefined ? [] : [{ turn, quote: quote === null ? null : locateQuote(turn.text, quote) }]
  })
  const missing = findMissing(candidate, byId)
  if (missing !== null) return { outcome: 'quarantined', label, reason: missing }
  if (candidate.form === 'utterance') return { outcome: 'grounded', label }
  const instruction = instructed(quotes)
  const worded = [unexplained(candidate, quotes, turns, context), doubted(candidate, label, quotes, turns)]
  // A model may obey the instruction, so it is not asked.
  if (instruction !== null && worded.some((doubt) => doubt !== null))
    return { outcome: 'quarantined', label, reason: `${instruction.reason}, and do not say all that it says` }
  const claim = claimed(candidate, label, quotes, turns)
  const findings = [
    instruction,
    pasted(quotes),
    claim,
    ...worded,
    compared(candidate, { label, quotes, turns }, context),
  ]
  const decisive =
    findings.find((doubt) => doubt?.outcome === 'quarantined') ??
    findings.find((doubt) => doubt?.outcome === 'unsure' && !IS_SETTLED_BY_READING.has(doubt.kind)) ??
    findings.find((doubt) => doubt !== null) ??
    null
  return decisive === null ? { outcome: 'grounded', label } : { ...decisive, label }
}

function findMissing(candidate: Candidate, byId: ReadonlyMap<string, Turn>): string | null {
  if (candidate.form === 'fact' && isBlank(candidate.text)) return 'it states nothing'
  if (candidate.evidence.length === 0) return 'it names no turn that supports it'
  for (const { turn: id, quote } of candidate.evidence) {
    const turn = byId.get(id)
    if (turn === undefined) return `its evidence, turn ${id}, is not in the talk it was drawn from`
    if (quote !== null && locateQuote(turn.text, quote) === null) return `its quote is not in turn ${id}`
  }
  return null
}

function instructed(quotes: readonly Quoted[]): Doubt {
  const found = quotes.map(({ turn, quote }) => findInstruction(turn.text, quote))
  if (found.includes('is'))
    return { outcome: 'quarantined', reason: 'its words are an instruction to the memory, not a statement' }
  return found.includes('after')
    ? { outcome: 'unsure', kind: 'instructed', reason: 'its words follow an instruction to the memory' }
    : null
}

/** Leaves pasted text open until a reader attributes it. */
function pasted(quotes: readonly Quoted[]): Doubt {
  const ofUser = quotes.filter(({ turn }) => turn.role === 'user')
  return ofUser.length > 0 && ofUser.every(({ turn, quote }) => mayBePasted(turn.text, quote))
    ? { outcome: 'unsure', kind: 'pasted', reason: 'its words may be of a text that was handed over' }
    : null
}

/** Accepts facts about the user only from the user; agents may speak about themselves. */
function claimed(
  candidate: Candidate,
  label: GroundingLabel,
  quotes: readonly Quoted[],
  turns: readonly Turn[],
): Doubt {
  if (candidate.form !== 'fact' || label === 'user-stated' || label === 'user-confirmed') return null
  const isOfUser = isAboutUser(candidate, turns)
  if (label === 'other')
    return isOfUser ? { outcome: 'quarantined', reason: 'neither the user nor the agent said so' } : null
  const isOfSpeaker = quotes.some(
    ({ turn }) => turn.role === 'assistant' && turn.speaker === candidate.subject,
  )
  if (!isOfUser && (candidate.subject === 'agent' || isOfSpeaker)) return null
  const ofUser = quotes.filter(({ turn }) => turn.role === 'user')
  if (ofUser.length > 0) {
    const ofAgent = quotes.filter(({ turn }) => turn.role === 'assistant')
    const kind = saysPart(candidate, ofUser, ofAgent) ? 'completed' : 'answered'
    return { outcome: 'unsure', kind, reason: 'the agent said it, and the user’s answer must be read' }
  }
  if (quotes.some(({ turn }) => isAgreedTo(turn, turns)))
    return { outcome: 'unsure', kind: 'answered', reason: 'the agent said it, and the user may have agreed' }
  return {
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

function isAgreedTo(turn: Turn, turns: readonly Turn[]): boolean {
  const next = turns[turns.indexOf(turn) + 1]
  return next?.role === 'user' && saysYes(next.text)
}

/** Words that a number may be computed from. */
const COUNTS_OR_DATES =
  /\d|[〇零一二三四五六七八九十百千万两半几双]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|half|couple|few|twice|both|pair|first|second|third|today|tomorrow|tonight|yesterday|ago|last|next|this|since|week|month|year|weekend|morning|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|teens?|twent|thirt|fort|fift|sixt|sevent|eight|ninet)\w*|\b(?:spring|summer|autumn|fall|winter|christmas|easter|new year)\b|昨|今|明|前天|后天|去年|周|星期|礼拜|月|节|元旦|[春夏秋冬]/i
/** References that may be resolved elsewhere. */
const POINTS_TO =
  /\b(?:he|she|him|her|his|hers|they|them|their|this|that|there|here|my|our|wife|husband|partner|boyfriend|girlfriend|mum|mom|dad|mother|father|sister|brother|son|daughter|friend|boss)\b|[他她它]|这|那|咱|我[的们]?|老[公婆板师]|爸|妈|哥|姐|弟|妹|朋友/i
const CALENDAR_NAME =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$|^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i

/** Finds names and numbers of the statement that its evidence lacks. */
function unexplained(
  candidate: Candidate,
  quotes: readonly Quoted[],
  turns: readonly Turn[],
  context: GroundingContext,
): Doubt {
  const evidenceTurns = quotes.map((quote) => quote.turn)
  const quoted = wordsOf(candidate.evidence, new Map(turns.map((turn) => [turn.id, turn])), null)
  const inQuotes = findUnsupported(candidate, quoted, evidenceTurns)
  // The whole turn explains references of the quote.
  const was = context.was?.get(candidate) ?? ''
  const own = normaliseText([...evidenceTurns.map((turn) => turn.text), was].join('\n'))
  const dates = namesOfDates(candidate, evidenceTurns)
  const parts = inQuotes.filter(
    (part) => !own.includes(normaliseText(part)) && !dates.has(part.toLowerCase()),
  )
  if (parts.length === 0)
    return isDatedByNothing(candidate, evidenceTurns)
      ? { outcome: 'unsure', kind: 'undated', reason: 'its words do not tell of the time it is dated to' }
      : null
  const talk = [...turns, ...context.before, ...context.known].map(({ text }) => text).join('\n')
  const invented = parts.find((part) => !mayFollow(part, talk, own, candidate))
  return invented === undefined
    ? {
        outcome: 'unsure',
        kind: 'follows',
        reason: `"${parts[0]}" is not in its evidence, but may follow from the talk`,
      }
    : { outcome: 'quarantined', reason: `"${invented}" is nowhere in the talk` }
}

// Created once, because creation is slow.
const monthOf = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })
const weekdayOf = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })

/** Names the months and weekdays of the statement's and turns' times, as `findUnsupported` does for numbers. */
function namesOfDates(candidate: Candidate, turns: readonly Turn[]): Set<string> {
  const days = daysOfTimes(candidate, turns)
  return new Set(days.flatMap((day) => [monthOf, weekdayOf].map((names) => names.format(day).toLowerCase())))
}

/** Detects a past date that no words support. */
function isDatedByNothing(candidate: Candidate, turns: readonly Turn[]): boolean {
  if (candidate.form !== 'fact' || turns.length === 0) return false
  const earliest = Math.min(...turns.map((turn) => turn.at))
  return candidate.validFrom < earliest - DAY_MS && !turns.some((turn) => COUNTS_OR_DATES.test(turn.text))
}

const HOLIDAY = /^(?:christmas|easter|halloween|thanksgiving|ramadan|eid|diwali|hanukkah)$/i

function mayFollow(part: string, talk: string, evidence: string, candidate: Candidate): boolean {
  if (HOLIDAY.test(part)) return true
  if (normaliseText(talk).includes(normaliseText(part))) return true
  if (isCounted(part)) return COUNTS_OR_DATES.test(evidence)
  const isOtherScript = hasHan(evidence) !== hasHan(candidate.text)
  return isOtherScript || isShortFor(part, talk) || POINTS_TO.test(evidence) || hasHan(evidence)
}

function isCounted(part: string): boolean {
  return /^[\d〇零一二三四五六七八九十百千万两]/.test(part) || CALENDAR_NAME.test(part)
}

/** Checks whether a name or number of a summary occurs nowhere in the conversation. */
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

/** Compares the statement, word by word, with what was said. */
function compared(
  candidate: Candidate,
  {
    label,
    quotes,
    turns,
  }: { readonly label: GroundingLabel; readonly quotes: readonly Quoted[]; readonly turns: readonly Turn[] },
  { before, known, was }: GroundingContext,
): Doubt {
  if (candidate.form !== 'fact') return null
  const around = [...before, ...known].map(({ text }) => text)
  const difference = compareStatement(candidate, {
    quotes,
    turns,
    around: [...around, was?.get(candidate) ?? ''].join('\n'),
    isConfirmed: label === 'user-confirmed',
  })
  if (difference === null) return null
  const { outcome, reason } = difference
  return outcome === 'wrong'
    ? { outcome: 'quarantined', reason }
    : { outcome: 'unsure', kind: 'differing', reason }
}

function doubted(
  candidate: Candidate,
  label: GroundingLabel,
  quotes: readonly Quoted[],
  turns: readonly Turn[],
): Doubt {
  // Confirmed statements are in the agent's words.
  if (label === 'user-confirmed') return null
  const own = label === 'user-stated' ? quotes.filter(({ turn }) => turn.role === 'user') : quotes
  const doubt = findDoubt(candidate, own, turns)
  // A reader may believe what a pasted text says, so it is not asked where hardly a word of the turn is the user's.
  if (
    doubt?.kind === 'unspoken' &&
    own.every(({ turn }) => turn.role === 'user' && isMostlyUnspoken(turn.text))
  )
    return { outcome: 'quarantined', reason: 'its words are of a text or a talk that is not the user’s' }
  return doubt === null ? null : { outcome: 'unsure', ...doubt }
}

/**
 * Settles a check by the extractor's attribution; `null` if that does not settle it. Quarantined candidates stay so.
 *
 * @param label the extractor's attribution, `other` where unclear
 */
export function settleByReading(
  check: Check,
  label: GroundingLabel | undefined,
  candidate: Candidate,
  turns: readonly Turn[],
): Grounding | null {
  if (check.outcome === 'quarantined' || label === undefined) return null
  if (label === 'agent-stated' && check.label !== 'other')
    return isOfAgent(candidate, turns)
      ? { outcome: 'grounded', label }
      : { outcome: 'quarantined', label, reason: 'only the agent said so' }
  if (label !== 'user-stated' && label !== 'user-confirmed') return null
  if (check.outcome === 'grounded') return check
  return IS_SETTLED_BY_READING.has(check.kind) ? { outcome: 'grounded', label } : null
}
