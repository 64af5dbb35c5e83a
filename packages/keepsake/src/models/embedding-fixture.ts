import type { EmbeddedModel, EmbeddingModel } from '@keepsake/text'

/** Embeds a text as the vector of the first of these words that stands in it, and as nothing where none does, for tests. */
export function embedBy(words: Readonly<Record<string, readonly number[]>>): EmbeddedModel {
  const dimensions = Object.values(words)[0]?.length ?? 0
  const embedNow = (text: string): Float32Array => {
    const found = Object.entries(words).find(([word]) => text.includes(word))
    return Float32Array.from(found?.[1] ?? Array.from({ length: dimensions }, () => 0))
  }
  return { id: 'test/words-1', dimensions, embedNow, embed: async (texts) => texts.map(embedNow) }
}

/** The same by a model that answers later. */
export function embedLaterBy(words: Readonly<Record<string, readonly number[]>>): EmbeddingModel {
  const model = embedBy(words)
  return { id: model.id, dimensions: model.dimensions, embed: (texts) => model.embed(texts) }
}
