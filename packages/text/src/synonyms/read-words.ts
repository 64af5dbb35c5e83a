import { segmentChinese } from '../vectors/chinese-words.ts'
import { findTerms, termOfWord } from '../terms/analyse-text.ts'
import { normaliseText } from '../terms/normalise-text.ts'
import { segmentWords } from '../terms/segment-words.ts'
import { relatedTerms, type RelatedTerm } from './related-terms.ts'

/** A word of a query. */
export interface AskedWord {
  /** Its terms, as from `findTerms`. */
  readonly terms: readonly string[]
  /** Its synonyms. */
  readonly related: readonly RelatedTerm[]
}

/** Returns a query's words that have synonyms: English words and pairs (“pass away”), and segmented Chinese words. */
export function readWords(text: string): AskedWord[] {
  const words: AskedWord[] = []
  const known = new Map<string, AskedWord>()
  // Looks up a repeated word once.
  const add = (word: string, terms: readonly string[], language: 'en' | 'zh'): void => {
    const read = known.get(word) ?? { terms, related: relatedTerms(word, language) }
    known.set(word, read)
    if (terms.length > 0 && read.related.length > 0) words.push(read)
  }
  let previous: string | null = null
  for (const { text: run, script } of segmentWords(normaliseText(text))) {
    const term = script === 'spaced' ? termOfWord(run) : null
    if (term !== null) add(term, [term], 'en')
    if (term !== null && previous !== null) add(`${previous} ${term}`, [previous, term], 'en')
    if (script === 'han')
      for (const word of segmentChinese(run)) add(word, [...new Set(findTerms(word))], 'zh')
    previous = term
  }
  return words
}
