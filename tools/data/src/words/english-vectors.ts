import { embeddedWordTable } from '@keepsake/text'

const table = embeddedWordTable()
const vectorByExpression = new Map<string, Float32Array>()

/** Words of the packaged English table, most frequent first. */
export const ENGLISH_WORDS: readonly string[] = [...table.rows.keys()]

/** Returns the index of a word in `ENGLISH_WORDS`: 0 for the most frequent, infinity for a word outside the table. */
export function frequencyRank(word: string): number {
  return table.rows.get(word) ?? Number.POSITIVE_INFINITY
}

/** Returns the direction of a word or an expression as a vector of length 1. It is zero if no word is in the table. */
export function directionOf(expression: string): Float32Array {
  const cached = vectorByExpression.get(expression)
  if (cached !== undefined) return cached
  const sum = new Float32Array(table.dimensions)
  for (const word of expression.split(' ')) addWord(sum, word, 1)
  vectorByExpression.set(expression, toLengthOne(sum))
  return sum
}

/** Adds a word's vector, multiplied by `times`, to a sum. A word outside the table adds nothing. */
export function addWord(sum: Float32Array, word: string, times: number): void {
  const row = table.rows.get(word)
  if (row === undefined) return
  const factor = times * (table.scales[row] ?? 0)
  for (let at = 0; at < sum.length; at++)
    sum[at] = (sum[at] ?? 0) + factor * (table.bytes[row * table.dimensions + at] ?? 0)
}

/** Returns the probability of a word in English from the packaged table, or 0 for a word outside it. */
export function englishProbability(word: string): number {
  return table.probabilities[table.rows.get(word) ?? -1] ?? 0
}

/** Scales a vector to length 1 in place. A zero vector stays zero. */
export function toLengthOne(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length
  return vector
}

/** The cosine of two vectors of length 1. */
export function cosineOf(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

/** From this cosine on, two vectors fully support that their words are related. */
const FULL_SUPPORT = 0.6

/** Returns how much the vectors of two words support that these are related: `min` for a cosine of 0 or less, at most 1. */
export function supportOf(cosine: number, min: number): number {
  return min + (1 - min) * Math.min(1, Math.max(0, cosine) / FULL_SUPPORT)
}
