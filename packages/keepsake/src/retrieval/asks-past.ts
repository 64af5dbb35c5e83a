const PAST =
  /\b(?:used to|before|previous(?:ly)?|former(?:ly)?|earlier|once|back then|originally|did|was|were|had|ago|ever)\b|以前|之前|从前|曾|过去|原来|当时|那时|原先/i

/**
 * Whether a question may be about how things were: its tense or its words say so. Generous, since it only
 * decides whether what is over stands behind what still is.
 *
 * @example
 * asksPast('Where did I live before?') // true
 * asksPast('Where do I live?') // false
 */
export function asksPast(question: string): boolean {
  return PAST.test(question)
}
