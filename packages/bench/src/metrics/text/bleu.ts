import { countMatches, nGramsOf } from './n-grams.ts'

/** Stands for no match at orders above 1 (Chen and Cherry 2014, smoothing 1; NLTK's `method1`). */
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
  return brevityPenalty(candidate.length, reference.length) * Math.exp(logarithms / orders)
}

/** 1 for a candidate as long as the reference or longer, else exp(1 − r/c). */
function brevityPenalty(candidate: number, reference: number): number {
  return candidate >= reference ? 1 : Math.exp(1 - reference / candidate)
}
