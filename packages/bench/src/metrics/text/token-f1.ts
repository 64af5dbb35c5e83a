import { countMatches } from './n-grams.ts'
import { NO_OVERLAP, overlapOf, type Overlap } from './overlap.ts'

/** What SQuAD's script takes out of answers before it compares them. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/**
 * Token F1 as SQuAD counts it (Rajpurkar et al. 2016, section 6.1): the words in common, as bags, without articles. When
 * a side is empty, both must be: then 1, else 0. The words are ours (`splitWords`), so an apostrophe within a word stays.
 */
export function tokenF1(candidate: readonly string[], reference: readonly string[]): Overlap {
  const ours = candidate.filter((word) => !ARTICLES.has(word))
  const theirs = reference.filter((word) => !ARTICLES.has(word))
  if (ours.length === 0 && theirs.length === 0) return { precision: 1, recall: 1, f1: 1 }
  const matches = countMatches(ours, theirs)
  return matches === 0 ? NO_OVERLAP : overlapOf(matches / ours.length, matches / theirs.length)
}
