import { cosine, type EmbeddingModel } from '@keepsake/text'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { CALIBRATION_PAIRS } from './calibration-pairs.ts'

/** Least cosine at which two values mean the same, by the language of the values; above 1 where none can be trusted. */
export type ContradictionThreshold = Readonly<Record<PromptLanguage, number>>

/**
 * How far from the likest pair that means different things to identity the threshold lies: the pairs are few, and a wrong
 * deletion costs a true memory, where a missed one leaves two statements with their times side by side.
 */
const MARGIN = 0.1

const reckoned = new WeakMap<EmbeddingModel, Promise<ContradictionThreshold>>()

/**
 * From which cosine on an embedder's values mean the same, reckoned from pairs that do not ({@link CALIBRATION_PAIRS}), once a
 * model: embedders fill their range differently, so that no one number serves two of them. For the built-in word vectors it
 * comes to 0.93 in English and 0.90 in Chinese (docs/benchmarks/README.md). MOOM names no threshold for its own.
 *
 * @throws ModelError when the embedder cannot answer; it is asked anew the next time
 */
export function contradictionThreshold(embedding: EmbeddingModel): Promise<ContradictionThreshold> {
  const known = reckoned.get(embedding)
  if (known !== undefined) return known
  const reckoning = reckon(embedding).catch((error: unknown) => {
    reckoned.delete(embedding)
    throw error
  })
  reckoned.set(embedding, reckoning)
  return reckoning
}

async function reckon(embedding: EmbeddingModel): Promise<ContradictionThreshold> {
  const [en, zh] = [await leastOf(embedding, 'en'), await leastOf(embedding, 'zh')]
  return { en, zh }
}

async function leastOf(embedding: EmbeddingModel, language: PromptLanguage): Promise<number> {
  const vectors = await embedding.embed(CALIBRATION_PAIRS[language].flat())
  let likest = 0
  for (let at = 0; at + 1 < vectors.length; at += 2) {
    const [one, other] = [vectors[at], vectors[at + 1]]
    if (one !== undefined && other !== undefined) likest = Math.max(likest, cosine(one, other))
  }
  // An embedder that cannot tell tea from coffee cannot tell what means the same.
  return likest > 1 - Number.EPSILON * 8 ? Number.POSITIVE_INFINITY : likest + MARGIN * (1 - likest)
}
