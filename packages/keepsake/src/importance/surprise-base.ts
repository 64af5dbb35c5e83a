import { embeddedCharacterTable } from '../models/embedded/character-table.ts'
import { isUnspaced, splitClitics } from '../models/embedded/split-text.ts'
import { embeddedWordTable } from '../models/embedded/word-vectors.ts'

/** Any word or character the tables lack counts as one as rare as the rarest in them: about 1 in 2 million. */
export const UNKNOWN_PROBABILITY = 5e-7

/** Probability of a token in the language at large, without context: from the packaged frequencies. */
export function baseProbability(token: string): number {
  if (isUnspaced(token)) return embeddedCharacterTable().get(token) ?? UNKNOWN_PROBABILITY
  const { rows, probabilities } = embeddedWordTable()
  // A contraction is as frequent as the rarer of its parts: "don't" as "not", "alice's" as "alice".
  const known = splitClitics(token).map((part) => {
    const row = rows.get(part)
    return row === undefined ? UNKNOWN_PROBABILITY : (probabilities[row] ?? UNKNOWN_PROBABILITY)
  })
  return Math.max(UNKNOWN_PROBABILITY, Math.min(...known))
}
