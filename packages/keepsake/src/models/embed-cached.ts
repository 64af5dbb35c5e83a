// Caches embeddings of recent texts, and guards against embedding models that fail.
import { hash } from 'node:crypto'
import { type EmbeddingModel, ModelError } from '@keepsake/text'
import { LRUCache } from 'lru-cache'
import { checkEmbeddings } from './adapters/ai-sdk.ts'
import { untilAborted } from './model-requests.ts'

/** Maximum bytes of cached vectors per embedder, enough for a thousand texts of 1,024 dimensions. */
const MAX_BYTES = 4 * 1024 * 1024

interface VectorCache {
  /** Vectors by the digest of their text, so that no erased text remains in memory. */
  readonly vectors: LRUCache<string, Float32Array>
  /** Pending requests by digest. */
  readonly pending: Map<string, Promise<ReadonlyMap<string, Float32Array>>>
}

const caches = new WeakMap<EmbeddingModel, VectorCache>()

function cacheOf(embedding: EmbeddingModel): VectorCache {
  const cached = caches.get(embedding)
  if (cached !== undefined) return cached
  const vectors = new LRUCache<string, Float32Array>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ byteLength }) => Math.max(1, byteLength),
  })
  const cache = { vectors, pending: new Map() }
  caches.set(embedding, cache)
  return cache
}

/** Embeds texts, and reuses recent and pending vectors, because most texts are needed twice. `undefined` for a missing vector. */
export async function embedCached(
  embedding: EmbeddingModel,
  texts: readonly string[],
): Promise<(Float32Array | undefined)[]> {
  const { vectors, pending } = cacheOf(embedding)
  const keys = texts.map(digestOf)
  const found = new Map<string, Float32Array>()
  const missing = new Map<string, string>()
  for (const [index, key] of keys.entries()) {
    const vector = vectors.get(key)
    if (vector !== undefined) found.set(key, vector)
    else if (!pending.has(key)) missing.set(key, texts[index] ?? '')
  }
  if (missing.size > 0) {
    const request = embedMissing(embedding, missing, vectors).finally(() => {
      for (const key of missing.keys()) pending.delete(key)
    })
    for (const key of missing.keys()) pending.set(key, request)
  }
  const requests = new Set(keys.flatMap((key) => (found.has(key) ? [] : (pending.get(key) ?? []))))
  for (const answer of await Promise.all(requests)) for (const [key, vector] of answer) found.set(key, vector)
  return keys.map((key) => found.get(key))
}

/** Returns the cached vector of a text, if there is one. */
export function cachedVector(embedding: EmbeddingModel, text: string): Float32Array | undefined {
  return caches.get(embedding)?.vectors.get(digestOf(text))
}

/** Embeds texts by their digests, and adds the vectors to the cache. */
async function embedMissing(
  embedding: EmbeddingModel,
  texts: ReadonlyMap<string, string>,
  vectors: VectorCache['vectors'],
): Promise<ReadonlyMap<string, Float32Array>> {
  const answer = await embedding.embed([...texts.values()])
  const embedded = new Map<string, Float32Array>()
  for (const [index, key] of [...texts.keys()].entries()) {
    const vector = answer[index]
    if (vector === undefined) continue
    embedded.set(key, vector)
    vectors.set(key, vector)
  }
  return embedded
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64')
}

/** Time limit of a request to a model outside the process, and its extension for each text: 3 s for a question. Chosen, not measured. */
const REQUEST_TIMEOUT_MS = 2_000
const TIMEOUT_PER_TEXT_MS = 1_000
/** After a request was given up that had no answer for this time, the model is not asked for the pause. So recalls do not wait again. */
const HANGING_MS = 1_000
const PAUSE_MS = 15_000

/** Guards an application's embedding model: converts errors, limits the time, and checks that each text has one finite vector. */
export function guardEmbedding(model: EmbeddingModel, closing: AbortSignal): EmbeddingModel {
  const isInProcess = model.embedNow !== undefined
  if (isInProcess) return model
  let observedDimensions: number | undefined
  const dimensionsOf = (): number | undefined => model.dimensions ?? observedDimensions
  let askAgainAt = 0
  return {
    id: model.id,
    ...(model.semanticWeight === undefined ? {} : { semanticWeight: model.semanticWeight }),
    get dimensions() {
      return dimensionsOf()
    },
    async embed(texts, { abortSignal } = {}) {
      const timeoutMs = REQUEST_TIMEOUT_MS + texts.length * TIMEOUT_PER_TEXT_MS
      const startedAt = performance.now()
      if (startedAt < askAgainAt) throw new ModelError(`${model.id} did not answer, and is asked again soon.`)
      const ownSignals = [closing, AbortSignal.timeout(timeoutMs)]
      const signal = AbortSignal.any(abortSignal === undefined ? ownSignals : [...ownSignals, abortSignal])
      try {
        const vectors: unknown = await untilAborted(model.embed(texts, { abortSignal: signal }), signal)
        if (!Array.isArray(vectors)) throw new ModelError(`${model.id} answered no list of vectors.`)
        const expected = { count: texts.length, dimensions: dimensionsOf() }
        const checked = checkEmbeddings(model.id, vectors, expected)
        observedDimensions = checked[0]?.length ?? observedDimensions
        return checked
      } catch (cause) {
        const now = performance.now()
        if (signal.aborted && now - startedAt >= HANGING_MS) askAgainAt = now + PAUSE_MS
        abortSignal?.throwIfAborted()
        if (cause instanceof ModelError) throw cause
        const reason = signal.aborted ? `did not answer within ${timeoutMs} ms` : `failed: ${String(cause)}`
        throw new ModelError(`${model.id} ${reason}.`, { cause })
      }
    },
  }
}
