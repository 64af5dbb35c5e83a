import { fMeasure, lcs } from 'js-rouge'
import { countMatches, nGramsOf } from './n-grams.ts'
import { NO_OVERLAP, type Overlap } from './overlap.ts'

/** Words of a text that count: the time of ROUGE-L grows with the square. */
const MOST_WORDS = 10_000

/**
 * ROUGE-N of a candidate against one reference (Lin 2004, section 2): n-grams in common, each counted no more often
 * than in either. Nothing in common, or fewer than `size` words on a side: all 0, so ROUGE-2 of one word against itself
 * is 0. The first 10,000 words of each count.
 *
 * @param size of the n-grams, 1 or more
 */
export function rougeN(candidate: readonly string[], reference: readonly string[], size: number): Overlap {
  const ours = nGramsOf(candidate.slice(0, MOST_WORDS), size)
  const theirs = nGramsOf(reference.slice(0, MOST_WORDS), size)
  return overlapOfMatches(countMatches(ours, theirs), ours.length, theirs.length)
}

/**
 * ROUGE-L of a candidate against one reference: the longest common subsequence of the whole texts (Lin 2004, section
 * 3.1; `rougeL` of the usual scripts). The summary-level variant (3.2, `rougeLsum`), which unites the subsequences of
 * single sentences, would depend on a sentence splitter; answers and memories are mostly one sentence. Nothing in
 * common, or no word on a side: all 0. The first 10,000 words of each count.
 */
export function rougeL(candidate: readonly string[], reference: readonly string[]): Overlap {
  const [ours, theirs] = [candidate.slice(0, MOST_WORDS), reference.slice(0, MOST_WORDS)]
  return overlapOfMatches(lcs(ours, theirs).length, ours.length, theirs.length)
}

function overlapOfMatches(matches: number, ofCandidate: number, ofReference: number): Overlap {
  if (matches === 0) return NO_OVERLAP
  const [precision, recall] = [matches / ofCandidate, matches / ofReference]
  return { precision, recall, f1: fMeasure(precision, recall) }
}
