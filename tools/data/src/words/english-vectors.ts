import { embeddedWordTable } from '@keepsake/text'

const table = embeddedWordTable()
const vectorByExpression = new Map<string, Float32Array>()

/** Words of the packaged English table, most frequent first. */
export const ENGLISH_WORDS: readonly string[] = [...table.rows.keys()]

/** The place of a word among them, 0 for the most frequent; infinity outside the table. */
export function frequencyRank(word: string): number {
  return table.rows.get(word) ?? Number.POSITIVE_INFINITY
}

/** The direction of a word or of the words of an expression; zeros where none is in the table. */
export function directionOf(expression: string): Float32Array {
  const cached = vectorByExpression.get(expression)
  if (cached !== undefined) return cached
  const sum = new Float32Array(table.dimensions)
  for (const word of expression.split(' ')) addWord(sum, word, 1)
  vectorByExpression.set(expression, toLengthOne(sum))
  return sum
}

/** Adds a word's vector, `times` over; nothing for a word outside the table. */
export function addWord(sum: Float32Array, word: string, times: number): void {
  const row = table.rows.get(word)
  if (row === undefined) return
  const factor = times * (table.scales[row] ?? 0)
  for (let at = 0; at < sum.length; at++)
    sum[at] = (sum[at] ?? 0) + factor * (table.bytes[row * table.dimensions + at] ?? 0)
}

/** How frequent a word is in English, as the packaged table has it; 0 outside. */
export function englishProbability(word: string): number {
  return table.probabilities[table.rows.get(word) ?? -1] ?? 0
}

/** Scales a vector to length 1, in place; zeros stay. */
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

/** A link that the vectors do not bear out is half as sure; from this cosine on they bear it out. */
const BORNE_OUT = 0.6

/** How far vectors bear out that two words are related: from `least` to 1. */
export function borneOut(cosine: number, least: number): number {
  return least + (1 - least) * Math.min(1, Math.max(0, cosine) / BORNE_OUT)
}
