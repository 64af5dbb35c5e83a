import { wordsToText, type Word } from './word.ts'

const FLIPPED: Readonly<Record<string, string>> = {
  my: 'their',
  me: 'them',
  mine: 'theirs',
  myself: 'themselves',
  i: 'they',
  we: 'they',
  us: 'them',
  our: 'their',
  ours: 'theirs',
  ourselves: 'themselves',
  am: 'are',
}

/** First-person pronouns turned to the third. */
export function flipPerson(words: readonly Word[]): Word[] {
  return words.map((word) => {
    const flipped = FLIPPED[word.lower]
    return flipped === undefined ? word : { ...word, text: flipped, lower: flipped }
  })
}

const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  are: 'is',
  have: 'has',
  do: 'does',
  were: 'was',
  go: 'goes',
}
const UNCHANGED = new Set(['was', 'had', 'did', 'can', 'will', 'used', 'must', 'got', 'not', 'never', 'quit'])

/** “live” → “lives”, “study” → “studies”; past forms and modals stay. */
export function thirdPersonVerb(verb: Word): string {
  const irregular = IRREGULAR[verb.lower]
  if (irregular !== undefined) return irregular
  if (UNCHANGED.has(verb.lower) || verb.lower !== verb.lemma || isUnmarkedPast(verb)) return verb.text
  if (/(?:s|x|z|ch|sh|o)$/.test(verb.lower)) return `${verb.text}es`
  if (/[^aeiou]y$/.test(verb.lower)) return `${verb.text.slice(0, -1)}ies`
  return `${verb.text}s`
}

function isUnmarkedPast(verb: Word): boolean {
  return verb.lower.endsWith('ed') && verb.lemma === verb.lower
}

/** Verbs after "I" that the tagger takes for nouns or prepositions at times. */
export const TAKEN_FOR_OTHERS =
  /^(?:work|love|like|hate|live|study|play|speak|own|want|plan|hope|feel|prefer|dislike|enjoy|use|practice|practise|dance|cook)$/

/**
 * Says a first-person clause in the third: “I live in Lyon” → “The user lives in Lyon.” Nothing is left out or
 * added but the subject.
 *
 * @param who `The user`, or the speaker's name
 */
export function sayInThirdPerson(clause: readonly Word[], who: string): string {
  const [subject, ...rest] = clause
  if (subject === undefined) return ''
  if (subject.lower === 'my' || subject.lower === 'our')
    return sentence(`${who}'s ${wordsToText(flipPerson(rest))}`)
  if (subject.lower === 'we') return sentence(`${who} and others ${wordsToText(flipPerson(rest))}`)
  const at = rest.findIndex(
    (word) => word.pos === 'VERB' || word.pos === 'AUX' || TAKEN_FOR_OTHERS.test(word.lower),
  )
  const verb = rest[at]
  if (verb === undefined) return ''
  const conjugated = { ...verb, text: thirdPersonVerb(verb) }
  const words = [...flipPerson(rest.slice(0, at)), conjugated, ...flipPerson(rest.slice(at + 1))]
  return sentence(`${who} ${wordsToText(words)}`)
}

function sentence(text: string): string {
  const trimmed = text.replace(/[\s,;:]+$/, '').replace(/\b(\w+) n't\b/g, "$1n't")
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`
}
