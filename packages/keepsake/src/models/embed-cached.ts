import { hash } from 'node:crypto'
import { type EmbeddingModel, ModelError } from '@keepsake/text'
import { LRUCache } from 'lru-cache'
import { checkEmbeddings } from './adapters/ai-sdk.ts'
import { untilAborted } from './model-requests.ts'

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

/** How long a model outside the process may take for a request, and for each text of it. */
const PATIENCE_MS = 10_000
const PATIENCE_A_TEXT_MS = 1000

/**
 * An application's embedding model of which nothing can do harm: whatever it throws is a ModelError, it answers one finite vector of one
 * length for each text, and within a time. Models in the process are taken as they are.
 *
 * @param life aborted when the memory is closed
 */
export function guardEmbedding(model: EmbeddingModel, life: AbortSignal): EmbeddingModel {
  if (model.embedNow !== undefined) return model
  let learned: number | undefined
  const dimensionsOf = (): number | undefined => model.dimensions ?? learned
  return {
    id: model.id,
    ...(model.semanticWeight === undefined ? {} : { semanticWeight: model.semanticWeight }),
    get dimensions() {
      return dimensionsOf()
    },
    async embed(texts, { abortSignal } = {}) {
      const patience = PATIENCE_MS + texts.length * PATIENCE_A_TEXT_MS
      const signals = [
        life,
        AbortSignal.timeout(patience),
        ...(abortSignal === undefined ? [] : [abortSignal]),
      ]
      const signal = AbortSignal.any(signals)
      try {
        const vectors: unknown = await untilAborted(model.embed(texts, { abortSignal: signal }), signal)
        if (!Array.isArray(vectors)) throw new ModelError(`${model.id} answered no list of vectors.`)
        const checked = checkEmbeddings(model.id, vectors, {
          count: texts.length,
          dimensions: dimensionsOf(),
        })
        learned = checked[0]?.length ?? learned
        return checked
      } catch (cause) {
        abortSignal?.throwIfAborted()
        if (cause instanceof ModelError) throw cause
        const reason = signal.aborted ? `did not answer within ${patience} ms` : `failed: ${String(cause)}`
        throw new ModelError(`${model.id} ${reason}.`, { cause })
      }
    },
  }
}
