import { LRUCache } from 'lru-cache'
import { isChineseFunctionCharacter, isEnglishFunctionWord } from './function-words.ts'
import { normaliseText } from './normalise-text.ts'
import { plainWords, segmentWords } from './segment-words.ts'
import { stemEnglish } from './stem-english.ts'
import { readTraits } from './text-traits.ts'

/**
 * Names the rules below and the Unicode data they ran on. A store that finds another name beside its terms has
 * to analyse its texts again.
 */
export const ANALYSER_VERSION = `keepsake/terms-3;unicode-${process.versions.unicode ?? 'unknown'}`

/** What retrieval needs to know of a text. */
export interface Analysis {
  /** Content terms in order, repeats included. */
  readonly terms: readonly string[]
  /** Bits of `TextTrait`. */
  readonly traits: number
}

/**
 * Terms and traits of a text, as an index takes them.
 *
 * @example
 * analyseText('I moved to Köln!').terms // ['move', 'koln']
 */
export function analyseText(text: string): Analysis {
  return { terms: findTerms(text), traits: readTraits(text) }
}

/**
 * Content terms of a text, in order: Snowball stems of spaced words, characters and bigrams of Chinese, word
 * segments of scripts without spaces, pictographs. Function words are left out; a text of nothing else has no terms.
 */
export function findTerms(text: string): string[] {
  const normalised = normaliseText(text)
  const terms: string[] = []
  const words = plainWords(normalised)
  if (words !== null) {
    for (const word of words) pushWord(word, terms)
    return terms
  }
  for (const segment of segmentWords(normalised)) {
    if (segment.script === 'han') pushHanTerms(segment.text, terms)
    else if (segment.script === 'spaced') pushWord(segment.text, terms)
    else terms.push(segment.text)
  }
  return terms
}

/** Texts whose terms were found last, of so many characters together. */
const found = new LRUCache<string, readonly string[]>({
  maxSize: 500_000,
  maxEntrySize: 4_000,
  sizeCalculation: (_, text) => text.length + 1,
})

/** The same for texts that are told again and again: what is said of a person is the same from question to question. */
export function findTermsAgain(text: string): readonly string[] {
  const known = found.get(text)
  if (known !== undefined) return known
  const terms = findTerms(text)
  found.set(text, terms)
  return terms
}

/** Words remembered before the memory starts anew, as of stems. */
const MOST_WORDS = 50_000
/** What came of words as they stood: a term, or `null` of those that say nothing alone. */
let termsOfWords = new Map<string, string | null>()

function pushWord(run: string, terms: string[]): void {
  let term = termsOfWords.get(run)
  if (term === undefined) {
    const word = run.includes("'") ? withoutClitics(run) : run
    term = isEnglishFunctionWord(word) ? null : stemEnglish(word)
    if (termsOfWords.size >= MOST_WORDS) termsOfWords = new Map()
    if (run.length <= LONGEST_KEPT) termsOfWords.set(run, term)
  }
  if (term !== null) terms.push(term)
}
/** Longer runs of letters are no words. */
const LONGEST_KEPT = 40

/** “caroline's” → “caroline”, “don't” → “do”; other inner apostrophes (“o'clock”) are dropped. */
function withoutClitics(run: string): string {
  return run.replace(/(?:n't|'(?:s|re|ve|ll|d|m))$/, '').replaceAll("'", '')
}

function pushHanTerms(run: string, terms: string[]): void {
  let previous = ''
  let previousIsFunction = true
  for (const character of run) {
    const isFunction = isChineseFunctionCharacter(character)
    if (previous !== '' && !(isFunction && previousIsFunction)) terms.push(previous + character)
    if (!isFunction) terms.push(character)
    previous = character
    previousIsFunction = isFunction
  }
}
