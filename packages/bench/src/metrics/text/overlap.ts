import { fMeasure, lcs } from 'js-rouge'

/** How far two texts overlap, each from 0 to 1. */
export interface Overlap {
  /** Share of the candidate that is in the reference. */
  readonly precision: number
  /** Share of the reference that is in the candidate. */
  readonly recall: number
  /** The harmonic mean of both. 0 when both are 0. */
  readonly f1: number
}

export const NO_OVERLAP: Overlap = { precision: 0, recall: 0, f1: 0 }

/** Makes an overlap of precision and recall. */
export function overlapOf(precision: number, recall: number): Overlap {
  return { precision, recall, f1: harmonicMean(precision, recall) }
}

/** Computes the harmonic mean of two numbers. 0 if both are 0. */
export function harmonicMean(a: number, b: number): number {
  return a + b === 0 ? 0 : (2 * a * b) / (a + b)
}

/** Separates the words of an n-gram. No word contains it. */
const SEPARATOR = '\u0000'

function nGramsOf(words: readonly string[], size: number): string[] {
  const grams: string[] = []
  for (let at = 0; at + size <= words.length; at++) grams.push(words.slice(at, at + size).join(SEPARATOR))
  return grams
}

/** Counts items of the candidate that match. An item counts at most as often as the reference has it. */
function countMatches(candidate: readonly string[], reference: readonly string[]): number {
  const unmatched = new Map<string, number>()
  for (const item of reference) unmatched.set(item, (unmatched.get(item) ?? 0) + 1)
  let matches = 0
  for (const item of candidate) {
    const remaining = unmatched.get(item) ?? 0
    if (remaining === 0) continue
    matches++
    unmatched.set(item, remaining - 1)
  }
  return matches
}

/** Only this many first words count, because ROUGE-L takes quadratic time. */
const MAX_WORDS = 10_000

/** Computes ROUGE-N (Lin 2004), the overlap of n-grams of `size` words. All values are 0 if no n-gram is common. */
export function rougeN(candidate: readonly string[], reference: readonly string[], size: number): Overlap {
  const candidateGrams = nGramsOf(candidate.slice(0, MAX_WORDS), size)
  const referenceGrams = nGramsOf(reference.slice(0, MAX_WORDS), size)
  return overlapOfMatches(
    countMatches(candidateGrams, referenceGrams),
    candidateGrams.length,
    referenceGrams.length,
  )
}

/** Computes ROUGE-L (Lin 2004, section 3.1) by the longest common subsequence of words. It is not `rougeLsum`, which splits sentences. */
export function rougeL(candidate: readonly string[], reference: readonly string[]): Overlap {
  const [candidateGrams, referenceGrams] = [candidate.slice(0, MAX_WORDS), reference.slice(0, MAX_WORDS)]
  return overlapOfMatches(
    lcs(candidateGrams, referenceGrams).length,
    candidateGrams.length,
    referenceGrams.length,
  )
}

function overlapOfMatches(matches: number, ofCandidate: number, ofReference: number): Overlap {
  if (matches === 0) return NO_OVERLAP
  const [precision, recall] = [matches / ofCandidate, matches / ofReference]
  return { precision, recall, f1: fMeasure(precision, recall) }
}

/** Articles that SQuAD's script removes before comparing. */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/** Computes token F1 as in SQuAD (Rajpurkar et al. 2016), the overlap of words without articles. Two empty texts score 1, one scores 0. */
export function tokenF1(candidate: readonly string[], reference: readonly string[]): Overlap {
  const candidateGrams = candidate.filter((word) => !ARTICLES.has(word))
  const referenceGrams = reference.filter((word) => !ARTICLES.has(word))
  if (candidateGrams.length === 0 && referenceGrams.length === 0) return { precision: 1, recall: 1, f1: 1 }
  const matches = countMatches(candidateGrams, referenceGrams)
  return matches === 0
    ? NO_OVERLAP
    : overlapOf(matches / candidateGrams.length, matches / referenceGrams.length)
}

/** Replaces zero matches at orders above 1 (Chen and Cherry 2014, smoothing 1; NLTK's `method1`). */
const EPSILON = 0.1

/**
 * Computes BLEU of one sentence against one reference (Papineni et al. 2002). It is the geometric mean of the precisions of n-grams of 1 to `order`
 * words, times a penalty for short candidates.
 *
 * If no n-gram of more than one word matches, 0.1 match is counted (smoothing). Without a common word BLEU is 0. Orders for which the
 * candidate is too short are left out (the effective order of sacreBLEU), so that a right answer of one word scores 1. Otherwise it equals
 * NLTK's `sentence_bleu` with `method1`. The only npm package for BLEU (`bleu-score`) has neither tests nor smoothing.
 *
 * @param order the largest size of n-grams: 1 for BLEU-1, 2 for BLEU-2
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

/** Computes Distinct-N (Li et al. 2016), the share of different n-grams. It falls with the amount of text. NaN if there are no n-grams. */
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
