import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { EmbeddingModel } from '@keepsake/text'

/** Maximum bytes of cached vectors per embedder: a thousand texts of 1,024 dimensions. */
const MOST_BYTES = 4 * 1024 * 1024

interface CachedVectors {
  /** By digest, so that no erased text remains. */
  readonly vectors: LRUCache<string, Float32Array>
  /** Pending requests by digest. */
  readonly coming: Map<string, Promise<ReadonlyMap<string, Float32Array>>>
}

const recent = new WeakMap<EmbeddingModel, CachedVectors>()

function cacheOf(embedding: EmbeddingModel): CachedVectors {
  const known = recent.get(embedding)
  if (known !== undefined) return known
  const vectors = new LRUCache<string, Float32Array>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  })
  const made = { vectors, coming: new Map() }
  recent.set(embedding, made)
  return made
}

/**
 * Embeds texts, reusing recent and pending vectors: a turn is indexed and searched with, a statement is compared and
 * indexed.
 *
 * @returns in order of the texts; `undefined` where the model gave none
 * @throws ModelError when the model cannot answer.
 */
export async function embedCached(
  embedding: EmbeddingModel,
  texts: readonly string[],
): Promise<(Float32Array | undefined)[]> {
  const { vectors, coming } = cacheOf(embedding)
  const keys = texts.map(digestOf)
  const found = new Map<string, Float32Array>()
  const missing = new Map<string, string>()
  for (const [index, key] of keys.entries()) {
    const vector = vectors.get(key)
    if (vector !== undefined) found.set(key, vector)
    else if (!coming.has(key)) missing.set(key, texts[index] ?? '')
  }
  if (missing.size > 0) {
    const answer = ask(embedding, missing, vectors).finally(() => {
      for (const key of missing.keys()) coming.delete(key)
    })
    for (const key of missing.keys()) coming.set(key, answer)
  }
  const waited = new Set(keys.flatMap((key) => (found.has(key) ? [] : (coming.get(key) ?? []))))
  for (const made of await Promise.all(waited)) for (const [key, vector] of made) found.set(key, vector)
  return keys.map((key) => found.get(key))
}

/** Returns the recent vector of a text. */
export function cachedVector(embedding: EmbeddingModel, text: string): Float32Array | undefined {
  return recent.get(embedding)?.vectors.get(digestOf(text))
}

async function ask(
  embedding: EmbeddingModel,
  texts: ReadonlyMap<string, string>,
  vectors: CachedVectors['vectors'],
): Promise<ReadonlyMap<string, Float32Array>> {
  const answer = await embedding.embed([...texts.values()])
  const made = new Map<string, Float32Array>()
  for (const [index, key] of [...texts.keys()].entries()) {
    const vector = answer[index]
    if (vector === undefined) continue
    made.set(key, vector)
    vectors.set(key, vector)
  }
  return made
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64')
}
