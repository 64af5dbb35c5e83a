import { addWord, englishProbability, toLengthOne } from './english-vectors.ts'
import type { ChineseWord } from './read-cedict.ts'

const DIMENSIONS = 100
/** The constant a of smooth inverse frequency, as in the embedder. */
const SIF_A = 1e-3

/** Makes a vector for each Chinese word from its translations, so that both languages lie in one space. Removes the common direction. */
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

/** Removes the direction that all vectors share, in place. They share one, since all come from the English of a dictionary. */
function removeCommonDirection(vectors: readonly Float32Array[]): void {
  const common = new Float32Array(DIMENSIONS)
  for (const vector of vectors)
    for (let at = 0; at < DIMENSIONS; at++) common[at] = (common[at] ?? 0) + (vector[at] ?? 0)
  toLengthOne(common)
  for (const vector of vectors) {
    const component = vector.reduce((sum, value, at) => sum + value * (common[at] ?? 0), 0)
    for (let at = 0; at < DIMENSIONS; at++) vector[at] = (vector[at] ?? 0) - component * (common[at] ?? 0)
    toLengthOne(vector)
  }
}
