import { nGramsOf } from './n-grams.ts'

/**
 * Distinct-N (Li et al. 2016, section 5): different n-grams over all n-grams of a system's answers, pooled. It falls
 * with the amount of text, so only systems that answered the same questions compare. NaN when there is no n-gram.
 *
 * @param answers split into words; no n-gram reaches from one into the next
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
