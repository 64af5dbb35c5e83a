// Makes embedding models for tests.
import type { EmbeddedModel, EmbeddingModel } from '@keepsake/text'

/** Makes a model that embeds a text as the vector of the first of these words that it contains, else as zeros. */
export function embedBy(words: Readonly<Record<string, readonly number[]>>): EmbeddedModel {
  const dimensions = Object.values(words)[0]?.length ?? 0
  const embedNow = (text: string): Float32Array => {
    const found = Object.entries(words).find(([word]) => text.includes(word))
    return Float32Array.from(found?.[1] ?? Array.from({ length: dimensions }, () => 0))
  }
  return { id: 'test/words-1', dimensions, embedNow, embed: async (texts) => texts.map(embedNow) }
}

/** Makes the same model without `embedNow`, like a model outside the process. */
export function embedLaterBy(words: Readonly<Record<string, readonly number[]>>): EmbeddingModel {
  const model = embedBy(words)
  return { id: model.id, dimensions: model.dimensions, embed: (texts) => model.embed(texts) }
}
