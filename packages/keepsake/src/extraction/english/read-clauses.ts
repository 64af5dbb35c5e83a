import type { Word } from './word.ts'

/** A statement of the first person: its subject (`I`, `we`, `my …`) and what follows, up to its end. */
export interface Clause {
  readonly words: readonly Word[]
  /** Words that stand before the subject in the same clause, such as “last year”. */
  readonly lead: readonly Word[]
  /** Preceded by a greeting: someone introduces themself. */
  readonly isIntroduction: boolean
}

const STRONG_END = /^(?:[.;:!?…—–()[\]]+|--+|\.{2,})$/
const SUBJECT = new Set(['i', 'we', 'my', 'our'])
/** Words after which a main clause can begin. Subordinators that state a fact ("because") are among them. */
const OPENERS = new Set(
  'and but so because cause cuz cos also plus though although since now well yes yeah yep no nope ok okay oh ah actually anyway anyways honestly currently recently lately basically luckily fortunately unfortunately sadly hi hello hey personally originally previously normally usually sometimes today yesterday tonight finally then afterwards later however besides right sure lol haha hmm apparently'.split(
    ' ',
  ),
)
const TIME_END =
  /^(?:yesterday|today|tonight|tomorrow|mornings?|afternoons?|evenings?|nights?|days?|weeks?|weekends?|months?|years?|summer|winter|spring|fall|autumn|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|ago|(?:19|20)\d\d|now|moment|christmas|easter)$/
/** Words that make what follows no plain statement. */
const UNREAL = new Set(
  'if unless would could might should wish suppose supposing imagine pretend pretending maybe perhaps probably possibly hypothetically whether otherwise almost nearly joke joking kidding supposed seem seems seemed lest ought'.split(
    ' ',
  ),
)
const REPORTING = new Set([
  'say',
  'tell',
  'ask',
  'reply',
  'answer',
  'write',
  'think',
  'shout',
  'yell',
  'whisper',
  'claim',
  'text',
  'be like',
])
const QUESTION_START =
  /^(?:(?:and|but|so|well|ok|okay)[\s,]+)?(?:(?:do|does|did|am|is|are|was|were|can|could|would|should|shall|may|have|has|had|will)(?:\s+not)?\s+(?:i|you|we|he|she|it|they|my|there|this|that)\b|(?:what|who|where|why|how|which|whose)\b)/i
const GREETING =
  /^(?:hi|hello|hey|hiya|greetings|good (?:morning|afternoon|evening|day)|nice to meet|pleased to meet)\b/i

/**
 * First-person main clauses of a sentence. Questions, hypotheticals and wishes, and what is reported after a verb
 * of saying, give none; clauses under "when", "that", "what" and the like are left to their main clause.
 */
export function readClauses(words: readonly Word[]): Clause[] {
  const whole = words.map((word) => word.lower).join(' ')
  if (whole.endsWith('?') || QUESTION_START.test(whole) || words.some((word) => UNREAL.has(word.lower)))
    return []
  const isIntroduction = GREETING.test(whole)
  const clauses: Clause[] = []
  for (const [at, word] of words.entries()) {
    if (!SUBJECT.has(word.lower) || !opensClause(words, at)) continue
    const end = clauseEnd(words, at)
    const clause = withoutDangling(words.slice(at, end))
    if (clause.length < 3 || addressesListener(clause)) continue
    clauses.push({ words: clause, lead: timeBefore(words, at), isIntroduction })
  }
  return clauses
}

/** “… just because”: what leads over to the next clause says nothing without it. */
function withoutDangling(clause: readonly Word[]): readonly Word[] {
  const last = clause.at(-1)
  return last !== undefined &&
    /^(?:just|only|mainly|mostly|especially|simply|partly|even|or|and|such|particularly)$/.test(last.lower)
    ? withoutDangling(clause.slice(0, -1))
    : clause
}

function opensClause(words: readonly Word[], at: number): boolean {
  const before = words[at - 1]
  if (before === undefined) return true
  if (before.lower === ',' || isStrongEnd(words, at - 1)) {
    const reporting = words[at - 2]
    if (reporting !== undefined && REPORTING.has(reporting.lemma)) return false
    return !isUnderSubordinate(words, at)
  }
  // "not because I was lazy": the reason is denied.
  if (/^(?:because|cause|cuz|cos|since)$/.test(before.lower) && isDenied(words, at - 1)) return false
  // "I and my colleagues": one subject of two.
  if (before.lower === 'and' && words[at - 2]?.lower === 'i') return false
  if (OPENERS.has(before.lower)) return !isUnderSubordinate(words, at)
  const lead = words.slice(boundaryBefore(words, at), at)
  return (
    lead.length <= 6 &&
    TIME_END.test(before.lower) &&
    !lead.some((word) => word.pos === 'VERB' || SUBJECT.has(word.lower))
  )
}

const SUBORDINATORS = new Set([
  'when',
  'while',
  'that',
  'what',
  'how',
  'where',
  'why',
  'which',
  'who',
  'until',
  'before',
  'after',
  'once',
  'whenever',
  'than',
])

/** “She says that he and I live…”: the clause before it, joined by “and”, hangs under another. */
function isUnderSubordinate(words: readonly Word[], at: number): boolean {
  if (words[at - 1]?.lower !== 'and') return false
  const start =
    words.slice(0, at - 1).findLastIndex((word) => word.lower === ',' || STRONG_END.test(word.lower)) + 1
  const before = words.slice(start, at - 1)
  const reported = before.findIndex((word) => REPORTING.has(word.lemma))
  const first = before[0]
  if (reported >= 0 && first !== undefined && !SUBJECT.has(first.lower)) return true
  return first !== undefined && SUBORDINATORS.has(first.lower)
}

/** A hyphen set off by a space is a dash; one inside a word is not. */
function isStrongEnd(words: readonly Word[], at: number): boolean {
  const word = words[at]
  if (word === undefined) return false
  return (
    STRONG_END.test(word.lower) ||
    (word.lower === '-' && (word.before !== '' || (words[at + 1]?.before ?? ' ') !== ''))
  )
}

function boundaryBefore(words: readonly Word[], at: number): number {
  return (
    words
      .slice(0, at)
      .findLastIndex(
        (word) =>
          word.lower === ',' ||
          STRONG_END.test(word.lower) ||
          word.pos === 'CCONJ' ||
          OPENERS.has(word.lower),
      ) + 1
  )
}

/** “Last week, I …”: the time a clause is led in by, with or without a comma. */
function timeBefore(words: readonly Word[], at: number): readonly Word[] {
  const end = words[at - 1]?.lower === ',' ? at - 1 : at
  const last = words[end - 1]
  if (last === undefined || !TIME_END.test(last.lower) || /^(?:now|moment)$/.test(last.lower)) return []
  const lead = words.slice(timeBoundary(words, end - 1), end)
  const isTime =
    lead.length <= 4 && lead.every((word) => word.pos !== 'VERB' && word.pos !== 'AUX' && word.pos !== 'PRON')
  return isTime ? lead : []
}

function isDenied(words: readonly Word[], because: number): boolean {
  const from = words.slice(0, because).findLastIndex((_, place) => isStrongEnd(words, place)) + 1
  return words.slice(from, because).some((word) => word.lower === 'not' || word.lower === "n't")
}

function timeBoundary(words: readonly Word[], at: number): number {
  const isBoundary = (word: Word, place: number): boolean =>
    word.lower === ',' ||
    isStrongEnd(words, place) ||
    word.pos === 'CCONJ' ||
    (OPENERS.has(word.lower) && !TIME_END.test(word.lower))
  return words.slice(0, at).findLastIndex(isBoundary) + 1
}

/** The agent or the other speaker as “you” makes it talk about the talk. */
function addressesListener(clause: readonly Word[]): boolean {
  return clause.some((word) => /^(?:you|your|yours|yourself|u|ur)$/.test(word.lower))
}

const ENDERS = new Set([
  'but',
  'because',
  'since',
  'although',
  'though',
  'while',
  'when',
  'which',
  'who',
  'until',
  'thats',
  'whose',
  'cuz',
  'cos',
  'except',
  'then',
  'where',
  'why',
  'how',
  'what',
  'whom',
  'lol',
  'haha',
  'hence',
  'thus',
  'whereas',
  'otherwise',
  'unlike',
  'ever',
])
const NOMINATIVE = new Set([
  'i',
  'we',
  'he',
  'she',
  'they',
  'it',
  'my',
  'our',
  'that',
  'this',
  'there',
  'these',
  'those',
  'you',
])

function clauseEnd(words: readonly Word[], start: number): number {
  for (let at = start + 1; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) break
    if (isStrongEnd(words, at) || ENDERS.has(word.lower) || beginsAnother(words, at)) return at
    if (word.lower === ',' && !isListComma(words, at)) return at
    if (word.lower === 'so' && NOMINATIVE.has(words[at + 1]?.lower ?? '')) return at
    if ((word.lower === 'and' || word.lower === 'or' || word.lower === '&') && startsClause(words, at + 1))
      return at
    if (word.lower === 'as' && NOMINATIVE.has(words[at + 1]?.lower ?? '')) return at
  }
  return words.length
}

/** "I am a fan I have to say": a subject straight after a noun begins a clause of its own. */
function beginsAnother(words: readonly Word[], at: number): boolean {
  const word = words[at]
  const before = words[at - 1]
  if (word === undefined || before === undefined || at < 3) return false
  // "… for money No one does": a sentence that begins without a stop before it.
  if (
    /^\p{Lu}/u.test(word.text) &&
    word.lower !== 'i' &&
    ['DET', 'PRON', 'AUX', 'ADV', 'SCONJ', 'CCONJ'].includes(word.pos) &&
    ['NOUN', 'ADJ', 'PRON', 'ADV'].includes(before.pos)
  )
    return true
  if (word.lower === 'cause') return NOMINATIVE.has(words[at + 1]?.lower ?? '')
  return (
    /^(?:i|we|he|she|they)$/.test(word.lower) && ['NOUN', 'PROPN', 'ADJ', 'ADV', 'PRON'].includes(before.pos)
  )
}

function startsClause(words: readonly Word[], at: number): boolean {
  const next = words[at]
  if (next === undefined || next.pos === 'PUNCT') return true
  // "now and then", "again and again" are one adverb.
  if (next.lower === 'then' && words[at - 2]?.lower === 'now') return false
  if (NOMINATIVE.has(next.lower)) return true
  const after = words[at + 1]
  if (next.pos === 'ADV' && (after === undefined || after.pos !== 'ADJ')) return true
  if (next.pos === 'AUX' || next.pos === 'SCONJ' || next.pos === 'ADP' || next.pos === 'INTJ') return true
  if (next.pos === 'VERB' && !next.lower.endsWith('ing')) return true
  // "and the kids loved it": a noun phrase with a verb of its own.
  for (let look = at; look < Math.min(at + 6, words.length); look++) {
    const word = words[look]
    if (word === undefined || word.pos === 'PUNCT' || word.pos === 'ADP' || word.pos === 'CCONJ') return false
    if (word.pos === 'AUX' || (word.pos === 'VERB' && look > at && !word.lower.endsWith('ing'))) return true
  }
  return false
}

/** A comma inside “peanuts, shellfish and milk”: short phrases up to an “and”. */
function isListComma(words: readonly Word[], comma: number): boolean {
  let items = 0
  for (let at = comma + 1; at < Math.min(comma + 16, words.length); at++) {
    const word = words[at]
    if (word === undefined) return false
    if (word.lower === 'and' || word.lower === 'or')
      return items > 0 || words[comma + 1]?.lower === 'and' ? !startsClause(words, at + 1) : false
    if (word.lower === ',') continue
    const isNominal =
      ['NOUN', 'PROPN', 'ADJ', 'NUM'].includes(word.pos) ||
      (word.pos === 'DET' && items > 0) ||
      (word.pos === 'VERB' && word.lower.endsWith('ing'))
    if (!isNominal) return false
    items++
  }
  return false
}
