import type { EmbeddingModel } from 'keepsake'

/** An embedder, and how often it was asked. */
export interface CountedEmbedding {
  readonly model: EmbeddingModel
  readonly requests: () => number
}

/** Counts requests to an embedder; a batch is one. */
export function countEmbeddings(model: EmbeddingModel): CountedEmbedding {
  let requests = 0
  const embedNow = model.embedNow?.bind(model)
  return {
    requests: () => requests,
    model: {
      id: model.id,
      get dimensions() {
        return model.dimensions
      },
      embed: (texts, options) => {
        requests += 1
        return model.embed(texts, options)
      },
      ...(embedNow === undefined
        ? {}
        : {
            embedNow: (text: string) => {
              requests += 1
              return embedNow(text)
            },
          }),
    },
  }
}
