import type { Finding } from '../finding.ts'
import type { MemoryType } from '../../memories/memory.ts'
import { sayInThirdPerson, TAKEN_FOR_OTHERS } from './third-person.ts'
import type { Clause } from './read-clauses.ts'
import { wordsToText, type Word } from './word.ts'

/** A clause taken apart: subject, adverbs, auxiliaries and main verb. */
export interface Frame {
  readonly clause: Clause
  readonly words: readonly Word[]
  /** Place of the main verb. */
  readonly verb: number
  readonly lemma: string
  readonly tense:
    'present' | 'past' | 'perfect' | 'progressive' | 'past-progressive' | 'future' | 'can' | 'passive'
  readonly isNegated: boolean
  /** "used to …", "no longer", "anymore". */
  readonly isOver: boolean
  readonly adverbs: ReadonlySet<string>
  readonly who: string
}

const NEGATION = new Set(['not', "n't", 'never', 'hardly', 'barely', 'rarely'])
const MODALS = new Set(['must', 'shall', 'may', 'might', 'could', 'would', 'should', 'need', 'dare'])

/** @returns `null` where the verb cannot be told */
export function readFrame(clause: Clause, who: string): Frame | null {
  const words = clause.words
  const adverbs = new Set<string>()
  const auxiliaries: string[] = []
  let isNegated = false
  let at = 1
  for (; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) return null
    const isHave = word.lemma === 'have' && isPerfect(words, at)
    const isDo = word.lemma === 'do' && NEGATION.has(words[at + 1]?.lower ?? '')
    const isBe = word.lemma === 'be' && bearsVerb(words, at)
    if (NEGATION.has(word.lower)) isNegated = true
    else if (MODALS.has(word.lower)) return null
    else if (word.lower === 'will' || word.lower === 'can' || isHave || isDo || isBe)
      auxiliaries.push(word.lower)
    else if (word.pos === 'ADV' || isPhraseAdverb(words, at)) adverbs.add(word.lower)
    else break
  }
  const main = words[at]
  if (main === undefined) return null
  const isUsedTo = main.lower === 'used' && words[at + 1]?.lower === 'to'
  if (isUsedTo) at += 2
  const verb = words[at]
  if (
    verb === undefined ||
    !(verb.pos === 'VERB' || verb.pos === 'AUX' || isUsedTo || TAKEN_FOR_OTHERS.test(verb.lower))
  )
    return null
  const rest = words.slice(at + 1).map((word) => word.lower)
  // "I am not …": the negation of "be" stands behind it.
  if (
    verb.lemma === 'be' &&
    words.slice(at + 1, at + 3).some((word) => NEGATION.has(word.lower) && word.lower !== 'never')
  )
    isNegated = true
  if (verb.lemma === 'be' && rest[0] === 'no' && rest[1] === 'longer') adverbs.add('no').add('longer')
  const isOver =
    isUsedTo ||
    (adverbs.has('no') && adverbs.has('longer')) ||
    rest.includes('anymore') ||
    (isNegated && rest.join(' ').endsWith('any more'))
  return {
    clause,
    words,
    verb: at,
    lemma: verb.lemma,
    tense: tenseOf(verb, auxiliaries),
    isNegated,
    isOver,
    adverbs,
    who,
  }
}

function isPhraseAdverb(words: readonly Word[], at: number): boolean {
  const word = words[at]?.lower
  return (
    (word === 'no' && words[at + 1]?.lower === 'longer') ||
    (word === 'longer' && words[at - 1]?.lower === 'no')
  )
}

function nextVerbal(words: readonly Word[], at: number): Word | undefined {
  let look = at + 1
  while (words[look]?.pos === 'ADV' || NEGATION.has(words[look]?.lower ?? '')) look++
  return words[look]
}

function isPerfect(words: readonly Word[], at: number): boolean {
  const next = nextVerbal(words, at)
  return (
    next !== undefined &&
    (next.lower === 'been' ||
      (next.pos === 'VERB' && next.lower !== next.lemma && !next.lower.endsWith('ing')) ||
      next.lower === 'had' ||
      (next.pos === 'VERB' && /(?:ed|en|come|become|run)$/.test(next.lower)))
  )
}

function bearsVerb(words: readonly Word[], at: number): boolean {
  const next = nextVerbal(words, at)
  if (next === undefined) return false
  if (
    next.lower.endsWith('ing') &&
    (next.pos === 'VERB' || next.lower !== next.lemma) &&
    next.lower !== next.lemma
  )
    return true
  return next.pos === 'VERB' && next.lower.endsWith('ed')
}

function tenseOf(verb: Word, auxiliaries: readonly string[]): Frame['tense'] {
  if (auxiliaries.includes('will')) return 'future'
  if (auxiliaries.includes('can')) return 'can'
  const be = auxiliaries.find((word) => /^(?:am|are|is|was|were|been)$/.test(word))
  if (be !== undefined) {
    if (!verb.lower.endsWith('ing')) return 'passive'
    return be === 'was' || be === 'were' ? 'past-progressive' : 'progressive'
  }
  if (auxiliaries.includes('have')) return 'perfect'
  if (auxiliaries.includes('did')) return 'past'
  const isPast =
    (verb.lower !== verb.lemma &&
      !/(?:s|ing)$/.test(verb.lower) &&
      verb.lower !== 'am' &&
      verb.lower !== 'are') ||
    verb.lower === 'was' ||
    (verb.lower.endsWith('ed') && verb.lower.length > 4)
  return isPast ? 'past' : 'present'
}

/** Words of the clause after the main verb, lower case. */
export function after(frame: Frame, offset = 1): string {
  return frame.words[frame.verb + offset]?.lower ?? ''
}

/** A finding that says the whole clause in the third person. */
export function finding(
  frame: Frame,
  key: string | null,
  value: string | null,
  rest: Partial<Pick<Finding, 'text' | 'about' | 'state' | 'isEvent'>> & { type?: MemoryType } = {},
): Finding {
  const state = frame.isOver
    ? frame.isNegated || frame.adverbs.has('longer') || !isUsedTo(frame)
      ? 'ended'
      : 'over'
    : 'holds'
  const text = sayInThirdPerson(frame.words, frame.who)
  const whole: Finding = { key, type: 'persona', value, text, about: null, state, isEvent: false, ...rest }
  return whole.type === 'event' ? withTime(whole, frame.clause) : whole
}

/** “Last week we adopted a kitten”: what happened, and when, are said together. */
export function withTime(found: Finding, clause: Clause): Finding {
  const time = wordsToText(clause.lead)
  if (time === '') return found
  const keepsCapital =
    /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)/i.test(
      time,
    )
  const when = keepsCapital ? time : time.charAt(0).toLowerCase() + time.slice(1)
  const text = `${found.text.replace(/\.$/, '')} ${when}.`
  return { ...found, text, value: found.value === null ? null : `${found.value} ${when}` }
}

function isUsedTo(frame: Frame): boolean {
  return frame.words[frame.verb - 2]?.lower === 'used'
}
