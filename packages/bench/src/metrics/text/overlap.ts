import { fMeasure, lcs } from 'js-rouge'

/** How far two texts overlap, each from 0 to 1. */
export interface Overlap {
  /** Share of the candidate that is in the reference. */
  readonly precision: number
  /** Share of the reference that is in the candidate. */
  readonly recall: number
  /** Harmonic mean of the two; 0 when both are. */
  readonly f1: number
}

export const NO_OVERLAP: Overlap = { precision: 0, recall: 0, f1: 0 }

export function overlapOf(precision: number, recall: number): Overlap {
  return { precision, recall, f1: harmonicMean(precision, recall) }
}

/** 0 when both are. */
export function harmonicMean(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b)
}

/** Separates the words of an n-gram's key; no word contains it. */
const SEPARATOR = '\u0000'

function nGramsOf(words: readonly string[], size: number): string[] {
  const grams: string[] = []
  for (let at = 0; at + size <= words.length; at++) grams.push(words.slice(at, at + size).join(SEPARATOR))
  return grams
}

/** Counts matches, each at most as often as it is in the reference. */
function countMatches(candidate: readonly string[], reference: readonly string[]): number {
  const left = new Map<string, number>()
  for (const item of reference) left.set(item, (left.get(item) ?? 0) + 1)
  let matches = 0
  for (const item of candidate) {
    const remaining = left.get(item) ?? 0
    if (remaining === 0) continue
    matches++
    left.set(item, remaining - 1)
  }
  return matches
}

/** Most words that count: ROUGE-L takes quadratic time. */
const MOST_WORDS = 10_000

/**
 * ROUGE-N of a candidate against one reference (Lin 2004, section 2): common n-grams, each counted no more often than in either. Without
 * any, or with fewer than `size` words on a side: all 0. The first 10,000 words of each count.
 *
 * @param size of the n-grams, 1 or more
 */
export function rougeN(candidate: readonly string[], reference: readonly string[], size: number): Overlap {
  const ours = nGramsOf(candidate.slice(0, MOST_WORDS), size)
  const theirs = nGramsOf(reference.slice(0, MOST_WORDS), size)
  return overlapOfMatches(countMatches(ours, theirs), ours.length, theirs.length)
}

/**
 * ROUGE-L of a candidate against one reference: the longest common subsequence of the whole texts (Lin 2004, section 3.1; `rougeL` of the
 * usual scripts). The summary-level variant (3.2, `rougeLsum`) would depend on a sentence splitter; answers and memories are mostly one
 * sentence. Without common words: all 0. The first 10,000 words of each count.
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

/** Articles that SQuAD's script removes before comparing. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/**
 * Token F1 as in SQuAD (Rajpurkar et al. 2016, section 6.1): common words as bags, without articles. When a side is empty, both must be:
 * then 1, else 0. Words are ours (`splitWords`), so an apostrophe within a word stays.
 */
export function tokenF1(candidate: readonly string[], reference: readonly string[]): Overlap {
  const ours = candidate.filter((word) => !ARTICLES.has(word))
  const theirs = reference.filter((word) => !ARTICLES.has(word))
  if (ours.length === 0 && theirs.length === 0) return { precision: 1, recall: 1, f1: 1 }
  const matches = countMatches(ours, theirs)
  return matches === 0 ? NO_OVERLAP : overlapOf(matches / ours.length, matches / theirs.length)
}

/** Replaces zero matches at orders above 1 (Chen and Cherry 2014, smoothing 1; NLTK's `method1`). */
const EPSILON = 0.1

/**
 * BLEU of one sentence against one reference (Papineni et al. 2002): brevity penalty times the geometric mean of the
 * clipped n-gram precisions of orders 1 to `order`, equal weights. 0 to 1.
 *
 * Smoothing: at an order above 1 with no match, ε = 0.1 stands for the matches; without any word in common it is 0.
 * Orders for which the candidate is too short are left out (sacreBLEU's effective order), so that a right answer of one
 * word scores 1. With NLTK's `sentence_bleu` and `method1` it differs in that alone.
 *
 * Our own: the one package of the npm registry for it (`bleu-score`) has no test, no source repository and one release,
 * and knows neither smoothing nor words of one's own.
 *
 * @param order highest size of n-grams: 1 for BLEU-1, 2 for BLEU-2
 */
export function bleu(candidate: readonly string[], reference: readonly string[], order: number): number {
  let logarithms = 0
  let orders = 0
  for (let size = 1; size <= Math.min(order, candidate.length); size++) {
    const grams = nGramsOf(candidate, size)
    const matches = countMatches(grams, nGramsOf(reference, size))
    if (matches === 0 && size === 1) return 0
    logarithms += Math.log((matches === 0 ? EPSILON : matches) / grams.length)
    orders++
  }
  if (orders === 0) return 0
  const isBrief = candidate.length < reference.length
  const brevityPenalty = isBrief ? Math.exp(1 - reference.length / candidate.length) : 1
  return brevityPenalty * Math.exp(logarithms / orders)
}

/**
 * Distinct-N (Li et al. 2016, section 5): different n-grams over all n-grams of a system's answers, pooled. It falls with the amount of
 * text, so only systems with the same questions compare. NaN without n-grams.
 *
 * @param answers split into words; n-grams do not span answers
 */
export function distinctN(answers: readonly (readonly string[])[], size: number): number {
  const different = new Set<string>()
  let all = 0
  for (const words of answers) {
    const grams = nGramsOf(words, size)
    all += grams.length
    for (const gram of grams) different.add(gram)
  }
  return different.size / all
}
