import { LRUCache } from 'lru-cache'
import { ModelError, cosine, hashText, type EmbeddingModel } from '@keepsake/text'
import type { Engine } from '../work/engine.ts'
import { contradictionThreshold } from './contradiction-threshold.ts'
import { isSameThing, namesOf } from './same-things.ts'

/** Checks whether two values mean the same. */
export interface IsAlike {
  (one: string, other: string): boolean
  /** All values that may mean the same as one, so that facts which hold them can be looked up; those that were asked about when absent. */
  readonly valuesLike?: (value: string) => readonly string[]
}

const HAN = /\p{Script=Han}/u

/**
 * Tells of values whether they mean the same, by the memory's own embedder and the threshold reckoned for it. Made before anything
 * is decided, since an embedder may have to be waited for; a value that came meanwhile is known by its names alone. Where the
 * embedder cannot answer, the built-in one does.
 */
export async function likenessOf(
  { embedding, wordVectors, events }: Pick<Engine, 'embedding' | 'wordVectors' | 'events'>,
  values: readonly string[],
): Promise<IsAlike> {
  if (values.length === 0) return BY_NAME
  try {
    return await likenessBy(embedding, values)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    events.emit('background-failed', { error })
    return likenessBy(wordVectors, values)
  }
}

const BY_NAME: IsAlike = Object.assign((one: string, other: string) => isSameThing(one, other), {
  valuesLike: namesOf,
})

async function likenessBy(embedding: EmbeddingModel, values: readonly string[]): Promise<IsAlike> {
  const threshold = await contradictionThreshold(embedding)
  const texts = [...new Set(values)]
  const vectors = await vectorsOf(embedding, texts)
  const read = new Map(
    texts.map((text) => [
      text,
      { vector: vectors.get(text), least: threshold[HAN.test(text) ? 'zh' : 'en'] },
    ]),
  )
  const areAlike = (one: ReadText | undefined, other: ReadText | undefined): boolean =>
    one?.vector !== undefined &&
    other?.vector !== undefined &&
    cosine(one.vector, other.vector) >= Math.max(one.least, other.least)
  const valuesLike = (value: string): string[] => {
    const own = read.get(value)
    const meant = own === undefined ? [] : texts.filter((text) => areAlike(own, read.get(text)))
    return [...namesOf(value), ...meant]
  }
  return Object.assign(
    (one: string, other: string): boolean =>
      isSameThing(one, other) || areAlike(read.get(one), read.get(other)),
    { valuesLike },
  )
}

/** A value with its vector, and the cosine from which on another may mean the same. */
interface ReadText {
  readonly vector: Float32Array | undefined
  readonly least: number
}

/** Caches the vectors of recent values, by embedder, under hashes so that no erased text remains. */
const made = new WeakMap<EmbeddingModel, LRUCache<string, Float32Array>>()
const MOST_KEPT = 2_048

async function vectorsOf(
  embedding: EmbeddingModel,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Float32Array>> {
  const kept = made.get(embedding) ?? new LRUCache<string, Float32Array>({ max: MOST_KEPT })
  made.set(embedding, kept)
  const keyOf = (text: string): string => `${text.length}:${hashText(text, 1)}:${hashText(text, 2)}`
  const known = new Map(
    texts.flatMap((text) => {
      const vector = kept.get(keyOf(text))
      return vector === undefined ? [] : [[text, vector] as const]
    }),
  )
  const missing = texts.filter((text) => !known.has(text))
  const fresh = missing.length === 0 ? [] : await embedding.embed(missing)
  for (const [at, text] of missing.entries()) {
    const vector = fresh[at]
    if (vector === undefined) continue
    kept.set(keyOf(text), vector)
    known.set(text, vector)
  }
  return known
}
