import type { EmbeddingModel } from 'keepsake'

export type Vector = Float32Array

/** Texts for one request: providers refuse larger ones. */
const BATCH = 256

/** Vectors of words, each asked for once. It grows with the vocabulary and lives as long as its owner. */
export interface VectorCache {
  /** Throws ModelError when the model cannot answer. */
  learn(words: readonly string[]): Promise<void>
  /** Of a word that was learnt. */
  of(word: string): Vector
}

export function vectorCache(embedding: EmbeddingModel): VectorCache {
  const vectors = new Map<string, Vector>()
  return {
    learn: async (words) => {
      const unknown = [...new Set(words)].filter((word) => !vectors.has(word))
      const learnt = await embedInBatches(embedding, unknown)
      for (const [i, vector] of learnt.entries()) vectors.set(unknown[i] ?? '', vector)
    },
    of: (word) => {
      const vector = vectors.get(word)
      if (vector === undefined) throw new RangeError(`The embedder gave no vector for “${word}”.`)
      return vector
    },
  }
}

/** One vector a text, in order. Throws ModelError when the model cannot answer. */
export async function embedInBatches(embedding: EmbeddingModel, texts: readonly string[]): Promise<Vector[]> {
  const vectors: Vector[] = []
  for (let at = 0; at < texts.length; at += BATCH) {
    vectors.push(...(await embedding.embed(texts.slice(at, at + BATCH))))
  }
  return vectors
}
