import type { EmbeddingModel } from '../models/embedding-model.ts'
import type { NewTurn } from '../stores/store.ts'
import { ANALYSER_VERSION, analyseText } from '../text/analyse-text.ts'

/**
 * What the index stores of a text. A model that lives in the process embeds it at once; a remote one is asked in the
 * background, so that the write path never waits for it.
 */
export function indexText(embedding: EmbeddingModel, text: string): NewTurn['document'] {
  const vector = embedding.embedNow?.(text) ?? null
  const embedder = vector === null ? null : embedding.id
  return { ...analyseText(text), analyser: ANALYSER_VERSION, vector, embedder }
}
