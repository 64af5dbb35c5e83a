import { segmentChinese } from '../vectors/chinese-words.ts'
import { findTerms, termOfWord } from '../terms/analyse-text.ts'
import { normaliseText } from '../terms/normalise-text.ts'
import { segmentWords } from '../terms/segment-words.ts'
import { relatedTerms, type RelatedTerm } from './related-terms.ts'

/** A word of a query that has synonyms. */
export interface AskedWord {
  /** The terms of the word, as `findTerms` returns them. */
  readonly terms: readonly string[]
  /** The synonyms of the word. */
  readonly related: readonly RelatedTerm[]
}

/** Returns a query's words that have synonyms: English words and pairs (“pass away”), and segmented Chinese words. */
export function readWords(text: string): AskedWord[] {
  const words: AskedWord[] = []
  // A repeated word is looked up once.
  const lookedUp = new Map<string, AskedWord>()
  const add = (word: string, terms: readonly string[], language: 'en' | 'zh'): void => {
    const entry = lookedUp.get(word) ?? { terms, related: relatedTerms(word, language) }
    lookedUp.set(word, entry)
    if (terms.length > 0 && entry.related.length > 0) words.push(entry)
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
