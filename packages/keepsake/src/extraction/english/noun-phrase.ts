import { wordsToText, type Word } from './word.ts'
import { flipPerson } from './third-person.ts'

/** A noun phrase in a clause. */
export interface NounPhrase {
  readonly words: readonly Word[]
  /** Without a leading article, in the third person. */
  readonly value: string
  /** Lower-case base form of its main noun. */
  readonly head: string
  /** Whether its main noun is a name. */
  readonly isName: boolean
  readonly determiner: string | null
  /** Where the clause goes on. */
  readonly next: number
}

const VAGUE = new Set(
  'thing things stuff one ones way lot lots bit something anything everything nothing someone anyone everyone kind sort type idea question point problem issue time moment case part reason feeling sense place rest fact truth sound look sight word mind while fun shot try chance break few ton tons bunch load loads plenty couple handful experience most'.split(
    ' ',
  ),
)
/** Point at something said before, which a fact on its own cannot. */
const POINTING = new Set([
  'this',
  'that',
  'these',
  'those',
  'it',
  'such',
  'another',
  'other',
  'same',
  'his',
  'her',
  'their',
  'its',
  'your',
  'every',
  'each',
  'any',
  'what',
  'which',
  'similar',
])
const DETERMINERS = new Set(['a', 'an', 'the', 'my', 'our', 'some', 'many', 'several', 'both', 'all', 'two'])

/**
 * Reads the noun phrase that begins at a place: determiner, modifiers, nouns; “of …” after it; “and …” of the same
 * kind. `null` when there is none, or when it only points at something or is too vague to tell anything.
 */
export function readNounPhrase(words: readonly Word[], from: number): NounPhrase | null {
  const first = words[from]
  if (first === undefined || POINTING.has(first.lower)) return null
  let at = from
  let determiner: string | null = null
  if (DETERMINERS.has(first.lower) || first.pos === 'DET') {
    determiner = first.lower
    at++
    if (/^(?:same|other|latter|former)$/.test(words[at]?.lower ?? '')) return null
  }
  const core = readCore(words, at)
  if (core === null) return null
  let end = core.end
  if (words[end]?.lower === 'of') {
    const inner = readNounPhrase(words, end + 1)
    if (inner === null) return null
    end = inner.next
  }
  const headWord = words[core.end - 1]
  if (headWord === undefined || (VAGUE.has(headWord.lemma) && end === core.end)) return null
  if (words[end]?.lower === '/' || words[end]?.lower === '-') return null
  end = coordinated(words, end)
  const value = wordsToText(flipPerson(words.slice(isArticle(determiner) ? from + 1 : from, end)))
  return {
    words: words.slice(from, end),
    value,
    head: headWord.lemma,
    isName: headWord.pos === 'PROPN',
    determiner,
    next: end,
  }
}

function readCore(words: readonly Word[], from: number): { readonly end: number } | null {
  let at = from
  let lastNoun = -1
  for (; at < words.length; at++) {
    const word = words[at]
    if (word === undefined) break
    const isNoun = word.pos === 'NOUN' || word.pos === 'PROPN'
    const isModifier =
      word.pos === 'ADJ' || word.pos === 'NUM' || (word.pos === 'ADV' && words[at + 1]?.pos === 'ADJ')
    const isPossessive = word.lower === "'s" && lastNoun === at - 1
    const isHyphen = word.lower === '-' && at > from
    const isGerund = word.pos === 'VERB' && word.lower.endsWith('ing')
    if (lastNoun >= 0 && startsTime(words, at)) break
    if (isNoun || isGerund) lastNoun = at
    else if (!(isModifier || isPossessive || isHyphen)) break
  }
  return lastNoun < 0 ? null : { end: lastNoun + 1 }
}

/** “a nurse today”: a time after the noun is no part of it. */
const TIME_NOUN = /^(?:today|yesterday|tomorrow|tonight|now)$/
const TIME_UNIT =
  /^(?:night|day|week|weekend|month|year|summer|winter|spring|fall|autumn|morning|evening|afternoon|time|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)s?$/

function startsTime(words: readonly Word[], at: number): boolean {
  const word = words[at]?.lower ?? ''
  if (TIME_NOUN.test(word)) return true
  return (
    /^(?:last|next|this|every|each|\d+|a|few|couple|several|two|three|four|five|six|seven|eight|nine|ten)$/.test(
      word,
    ) && TIME_UNIT.test(words[at + 1]?.lower ?? '')
  )
}

function coordinated(words: readonly Word[], end: number): number {
  const joint = words[end]?.lower
  if (joint === ',' || joint === 'and' || joint === 'or' || joint === '&') {
    const skip = joint === ',' && words[end + 1]?.lower === 'and' ? 2 : 1
    const next = readNounPhrase(words, end + skip)
    return next === null ? end : next.next
  }
  return end
}

function isArticle(determiner: string | null): boolean {
  return determiner === 'a' || determiner === 'an' || determiner === 'the' || determiner === 'some'
}

/** The names (capitalised words) that begin at a place. */
export function readName(
  words: readonly Word[],
  from: number,
): { readonly name: string; readonly next: number } | null {
  let at = from
  while (at < words.length && at < from + 4) {
    const word = words[at]
    if (
      word === undefined ||
      !/^\p{Lu}[\p{L}'-]*$/u.test(word.text) ||
      word.pos === 'PRON' ||
      word.pos === 'DET' ||
      word.lower === 'i'
    )
      break
    at++
  }
  return at === from ? null : { name: wordsToText(words.slice(from, at)), next: at }
}
