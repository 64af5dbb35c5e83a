/**
 * An embedding model. Its `id` must change whenever its vectors change, since the engine never compares vectors of two ids.
 *
 * @example
 * const model: EmbeddingModel = embedWith(openai.embedding('text-embedding-3-small'))
 * const [vector] = await model.embed(['I moved to Lyon'])
 */
export interface EmbeddingModel {
  /** Name and version of the model, such as `keepsake/words-en-1`. It is stored with each vector. */
  readonly id: string
  /** Length of every vector. It is `undefined` until the first answer for models that do not declare it. */
  readonly dimensions: number | undefined
  /** The weight of the part `semantic` that suits the model's cosines, in place of the ranking recipe's weight. */
  readonly semanticWeight?: number
  /** Returns a vector of length 1 for each text, in order, or zeros for a text without known features. @throws ModelError */
  embed(texts: readonly string[], options?: { abortSignal?: AbortSignal }): Promise<Float32Array[]>
  /** Embeds synchronously, for models within the process. If present, the engine uses it when it stores turns. */
  embedNow?(text: string): Float32Array
}

/** A model within the process that embeds synchronously. */
export type EmbeddedModel = EmbeddingModel & Required<Pick<EmbeddingModel, 'embedNow'>>
