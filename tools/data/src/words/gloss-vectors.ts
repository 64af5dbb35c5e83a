import { addWord, englishProbability, toLengthOne } from './english-vectors.ts'
import type { ChineseWord } from './read-cedict.ts'

const DIMENSIONS = 100
/** The same a as the embedder's. */
const SIF_A = 1e-3

/**
 * A vector of length 1 for each Chinese word: the mean of its translations', each the frequency-weighted mean of its
 * English words', so that both languages lie in one space; without the direction that all of them share.
 */
export function glossVectors(words: readonly ChineseWord[]): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>()
  for (const { word, glosses } of words) {
    const sum = new Float32Array(DIMENSIONS)
    for (const [gloss, weight] of glosses) {
      const vector = glossVector(gloss)
      for (let at = 0; at < DIMENSIONS; at++) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0)
    }
    if (sum.some((value) => value !== 0)) vectors.set(word, toLengthOne(sum))
  }
  removeCommonDirection([...vectors.values()])
  return vectors
}

function glossVector(gloss: string): Float32Array {
  const sum = new Float32Array(DIMENSIONS)
  for (const word of gloss.split(/[ '-]/)) addWord(sum, word, SIF_A / (SIF_A + englishProbability(word)))
  return toLengthOne(sum)
}

/** In place: dictionary English has a tone of its own. */
function removeCommonDirection(vectors: readonly Float32Array[]): void {
  const common = new Float32Array(DIMENSIONS)
  for (const vector of vectors)
    for (let at = 0; at < DIMENSIONS; at++) common[at] = (common[at] ?? 0) + (vector[at] ?? 0)
  toLengthOne(common)
  for (const vector of vectors) {
    const along = vector.reduce((sum, value, at) => sum + value * (common[at] ?? 0), 0)
    for (let at = 0; at < DIMENSIONS; at++) vector[at] = (vector[at] ?? 0) - along * (common[at] ?? 0)
    toLengthOne(vector)
  }
}
