// Finds the terms of a text, by which the index searches: “Moved to Lyon” has “move” and “lyon”.
import { LRUCache } from 'lru-cache'
import { isChineseFunctionCharacter, isFunctionWord } from './function-words.ts'
import { normaliseText } from './normalise-text.ts'
import { plainWords, segmentWords } from './segment-words.ts'
import { stemEnglish } from './stem-english.ts'
import { piecesOfJapanese, stemOfScript, withoutElision } from './other-scripts.ts'
import { readTraits } from './text-traits.ts'

/** Version of the rules below and of the Unicode data. A store with another version must analyse its texts again. */
export const ANALYSER_VERSION = `keepsake/terms-8;unicode-${process.versions.unicode ?? 'unknown'}`

/** The result of text analysis that retrieval needs. */
export interface Analysis {
  /** Content terms in order, with repetitions. */
  readonly terms: readonly string[]
  /** Bits of `TextTrait`. */
  readonly traits: number
}

/** Returns the terms and traits of a text for the search index. */
export function analyseText(text: string): Analysis {
  return { terms: findTerms(text), traits: readTraits(text) }
}

/**
 * Returns the content terms of a text, in order, without function words. Terms are stems of words between spaces, Chinese characters alone
 * and in pairs, words of other scripts without spaces, and pictographs. A text of function words alone has no terms.
 */
export function findTerms(text: string): string[] {
  const normalised = normaliseText(text)
  const terms: string[] = []
  const asciiWords = plainWords(normalised)
  if (asciiWords !== null) {
    for (const word of asciiWords) pushWord(word, terms)
    return terms
  }
  for (const segment of segmentWords(normalised)) {
    if (segment.script === 'han')
      // A run with kana is Japanese, and has words. Any other is Chinese, and its characters are terms.
      for (const piece of piecesOfJapanese(segment.text) ?? [segment.text]) pushRun(piece, terms)
    else if (segment.script === 'spaced') pushWord(segment.text, terms)
    else terms.push(segment.text)
  }
  return terms
}

/** Caches the terms of recent texts, limited by total characters. */
const cachedTerms = new LRUCache<string, readonly string[]>({
  maxSize: 500_000,
  maxEntrySize: 4_000,
  sizeCalculation: (_, text) => text.length + 1,
})

/** Returns cached terms of texts that are analysed repeatedly, such as statements about the user. */
export function findTermsAgain(text: string): readonly string[] {
  const known = cachedTerms.get(text)
  if (known !== undefined) return known
  const terms = findTerms(text)
  cachedTerms.set(text, terms)
  return terms
}

/** Maximum words in the cache before it is cleared. */
const MAX_CACHED_WORDS = 50_000
/** Caches the term of each word, or `null` for function words. */
let termsOfWords = new Map<string, string | null>()

/** Maximum letters of a cached word. Longer runs are not words. */
const LONGEST_CACHED_WORD = 40

/** Returns the term of a normalised word between spaces, or `null` for a function word. */
export function termOfWord(written: string): string | null {
  let term = termsOfWords.get(written)
  if (term === undefined) {
    const word = written.includes("'") ? withoutClitics(withoutElision(written)) : written
    term = isFunctionWord(word) ? null : (stemOfScript(word) ?? stemEnglish(word))
    if (termsOfWords.size >= MAX_CACHED_WORDS) termsOfWords = new Map()
    if (written.length <= LONGEST_CACHED_WORD) termsOfWords.set(written, term)
  }
  return term
}

function pushWord(word: string, terms: string[]): void {
  const term = termOfWord(word)
  if (term !== null) terms.push(term)
}

/** Removes clitics: “caroline's” becomes “caroline”, “don't” becomes “do”. Of other words it removes the apostrophe: “o'clock”. */
function withoutClitics(word: string): string {
  return word.replace(/(?:n't|'(?:s|re|ve|ll|d|m))$/, '').replaceAll("'", '')
}

/** Adds the terms of a run: a word in kana as one term, Chinese characters alone and in pairs. */
function pushRun(run: string, terms: string[]): void {
  if (/^\p{Script=Han}/u.test(run)) pushHanTerms(run, terms)
  else terms.push(run)
}

/** Adds characters with a meaning, and pairs of characters unless both are grammar. */
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
