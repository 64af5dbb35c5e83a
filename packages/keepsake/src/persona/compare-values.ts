import { findTerms } from '../text/analyse-text.ts'
import { normaliseText } from '../text/normalise-text.ts'

/** How the value of a new statement stands to a known one. */
export type ValueRelation = 'same' | 'says-more' | 'says-less' | 'different'

/**
 * Compares values by their content words: articles, case, accents, plurals and word forms make no difference.
 *
 * @example
 * compareValues('the Beatles', 'Beatles') // 'same'
 * compareValues('Lyon', 'Lyon, France') // 'says-less'
 */
export function compareValues(fresh: string, known: string): ValueRelation {
  if (plain(fresh) === plain(known)) return 'same'
  const freshTerms = new Set(findTerms(fresh))
  const knownTerms = new Set(findTerms(known))
  // Values of function words only ("her", "mine") have no terms to compare.
  if (freshTerms.size === 0 || knownTerms.size === 0) return 'different'
  const coversKnown = [...knownTerms].every((term) => freshTerms.has(term))
  const coversFresh = [...freshTerms].every((term) => knownTerms.has(term))
  if (coversKnown && coversFresh) return 'same'
  if (coversKnown) return 'says-more'
  return coversFresh ? 'says-less' : 'different'
}

function plain(value: string): string {
  return normaliseText(value)
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim()
}
