import { ModelError } from '../errors/model-error.ts'
import { cosine } from '../models/cosine.ts'
import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { Engine } from '../work/engine.ts'
import { contradictionThreshold } from './contradiction-threshold.ts'
import { isSameThing } from './same-things.ts'

/** Whether two values mean the same thing. */
export type IsAlike = (one: string, other: string) => boolean

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
  if (values.length === 0) return isSameThing
  try {
    return await likenessBy(embedding, values)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    events.emit('background-failed', { error })
    return likenessBy(wordVectors, values)
  }
}

async function likenessBy(embedding: EmbeddingModel, values: readonly string[]): Promise<IsAlike> {
  const threshold = await contradictionThreshold(embedding)
  const texts = [...new Set(values)]
  const made = await embedding.embed(texts)
  const vectors = new Map(texts.map((text, at) => [text, made[at]]))
  const leastOf = (text: string): number => threshold[HAN.test(text) ? 'zh' : 'en']
  return (one, other) => {
    if (isSameThing(one, other)) return true
    const [left, right] = [vectors.get(one), vectors.get(other)]
    if (left === undefined || right === undefined) return false
    return cosine(left, right) >= Math.max(leastOf(one), leastOf(other))
  }
}
