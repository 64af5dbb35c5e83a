import { isChineseFunctionCharacter, isEnglishFunctionWord } from './function-words.ts'
import { normaliseText } from './normalise-text.ts'
import { segmentWords } from './segment-words.ts'
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
  const terms: string[] = []
  for (const segment of segmentWords(normaliseText(text))) {
    if (segment.script === 'han') pushHanTerms(segment.text, terms)
    else if (segment.script === 'spaced') pushWord(segment.text, terms)
    else terms.push(segment.text)
  }
  return terms
}

function pushWord(run: string, terms: string[]): void {
  const apostrophe = run.indexOf("'")
  const word = apostrophe < 0 ? run : withoutClitics(run)
  if (isEnglishFunctionWord(word)) return
  terms.push(stemEnglish(word))
}

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
