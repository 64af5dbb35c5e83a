// Rewrites a clause in the third person: “I live in Lyon” becomes “The user lives in Lyon”. ../matching/rule.ts explains patterns.
import { wordsToText, type Word } from '../matching/word.ts'
import { english } from './english.ts'
import { isVerbal } from './read-verb.ts'

const FLIPPED = toMap(
  'my their,me them,mine theirs,myself themselves,i they,we they,us them,our their,ours theirs,ourselves themselves,am are',
)

/** Makes a map of pairs such as `my their,me them`. */
export function toMap(pairs: string): ReadonlyMap<string, string> {
  return new Map(pairs.split(',').map((pair) => pair.split(' ') as [string, string]))
}

/** Turns first-person pronouns into the third person. */
export function flipPerson(words: readonly Word[]): Word[] {
  return words.map((word) => {
    const flipped = FLIPPED.get(word.lower)
    return flipped === undefined ? word : { ...word, text: flipped, lower: flipped }
  })
}

const IRREGULAR = toMap('am is,are is,have has,do does,were was,go goes')
const UNCHANGED = /^(?:was|had|did|can|will|used|must|got|not|never|quit)$/

/** Returns a verb in the third person: “live” becomes “lives”, “study” “studies”. Past forms and modals stay. */
function thirdPersonVerb(verb: Word): string {
  const irregular = IRREGULAR.get(verb.lower)
  if (irregular !== undefined) return irregular
  if (UNCHANGED.test(verb.lower) || verb.lower !== verb.lemma || verb.lower.endsWith('ed')) return verb.text
  if (/(?:s|x|z|ch|sh|o)$/.test(verb.lower)) return `${verb.text}es`
  if (/[^aeiou]y$/.test(verb.lower)) return `${verb.text.slice(0, -1)}ies`
  return `${verb.text}s`
}

/**
 * Rewrites a clause in the third person: “I live in Lyon” becomes “The user lives in Lyon.” Only pronouns and the verb change.
 *
 * @param who `The user`, or the speaker's name
 */
export function sayInThirdPerson(clause: readonly Word[], who: string): string {
  const [subject, ...rest] = clause
  if (subject === undefined) return ''
  if (subject.lower === 'my' || subject.lower === 'our')
    return sentence(`${who}'s ${wordsToText(flipPerson(rest))}`)
  if (subject.lower === 'we' && !isOwning(rest, 0))
    return sentence(`${who} and others ${wordsToText(flipPerson(rest))}`)
  const at = rest.findIndex((_, index) => isVerbal(rest, index))
  const verb = rest[at]
  if (verb === undefined) return ''
  const conjugated = { ...verb, text: thirdPersonVerb(verb) }
  return sentence(
    `${who} ${wordsToText([...flipPerson(rest.slice(0, at)), conjugated, ...flipPerson(rest.slice(at + 1))])}`,
  )
}

/** Matches shared possessions, which are the speaker's too: “We have two kids”. */
const isOwning = english.test('!had have !(VERB|AUX|ADV|not)')

/** Ends a text as a sentence. */
function sentence(text: string): string {
  const trimmed = text.replace(/[\s,;:]+$/, '').replace(/\b(\w+) n't\b/g, "$1n't")
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
