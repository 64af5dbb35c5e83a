/**
 * The port for embedding models. The `id` of an adapter changes whenever its vectors change.
 * The engine never compares vectors of two ids.
 *
 * @example
 * const model: EmbeddingModel = embedWith(openai.embedding('text-embedding-3-small'))
 * const [vector] = await model.embed(['I moved to Lyon'])
 */
export interface EmbeddingModel {
  /** Names the model and its version, e.g. `keepsake/words-en-1`. Stored beside each vector. */
  readonly id: string
  /** Length of every vector. It is `undefined` until the first answer for models that do not declare it. */
  readonly dimensions: number | undefined
  /** The weight of `semantic` that suits its cosines, instead of the ranking recipe's own. */
  readonly semanticWeight?: number
  /** Returns L2-normalised vectors of `dimensions`, in order; zeros without known features. @throws ModelError */
  embed(texts: readonly string[], options?: { abortSignal?: AbortSignal }): Promise<Float32Array[]>
  /** Embeds synchronously, for models within the process. The engine uses it on the write path when present. */
  embedNow?(text: string): Float32Array
}

/** A model within the process that embeds synchronously. */
export type EmbeddedModel = EmbeddingModel & Required<Pick<EmbeddingModel, 'embedNow'>>
