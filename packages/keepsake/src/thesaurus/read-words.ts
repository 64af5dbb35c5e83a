import { segmentChinese } from '../models/embedded/chinese-words.ts'
import { findTerms } from '../text/analyse-text.ts'
import { normaliseText } from '../text/normalise-text.ts'
import { segmentWords } from '../text/segment-words.ts'
import { relatedTerms, type RelatedTerm } from './related-terms.ts'

/** A word of a question. */
export interface AskedWord {
  /** Its terms as `findTerms` has them. */
  readonly terms: readonly string[]
  /** What may have been said in its place. */
  readonly related: readonly RelatedTerm[]
}

/**
 * The words of a question that something may have been said in place of: English words and pairs of them (“pass
 * away”), Chinese words as the packaged list of words divides them.
 *
 * @example
 * readWords('Where does my boss live?')[0] // { terms: ['boss'], related: […] }
 */
export function readWords(text: string): AskedWord[] {
  const words: AskedWord[] = []
  let previous: string | undefined
  for (const { text: run, script } of segmentWords(normaliseText(text))) {
    const [term] = script === 'spaced' ? findTerms(run) : []
    if (term !== undefined) {
      words.push({ terms: [term], related: relatedTerms(term, 'en') })
      if (previous !== undefined)
        words.push({ terms: [previous, term], related: relatedTerms(`${previous} ${term}`, 'en') })
    }
    if (script === 'han')
      for (const word of segmentChinese(run))
        words.push({ terms: [...new Set(findTerms(word))], related: relatedTerms(word, 'zh') })
    previous = term
  }
  return words.filter(({ terms, related }) => terms.length > 0 && related.length > 0)
}
