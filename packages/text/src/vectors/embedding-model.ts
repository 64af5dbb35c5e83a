/**
 * The port behind which vectors are made. An adapter says what it is (`id` changes whenever its vectors
 * change) and how long its vectors are; the engine never compares vectors of two ids.
 *
 * @example
 * const model: EmbeddingModel = embedWith(openai.embedding('text-embedding-3-small'))
 * const [vector] = await model.embed(['I moved to Lyon'])
 */
export interface EmbeddingModel {
  /** Names the model and its version, e.g. `keepsake/words-en-1`. Stored beside each vector. */
  readonly id: string
  /** Length of every vector it returns; `undefined` until the first answer for models that do not say. */
  readonly dimensions: number | undefined
  /**
   * One vector a text, in order, each of length `dimensions`, L2-normalised (or all zeros for a text in which
   * the model finds nothing).
   * @throws ModelError when the model cannot answer.
   */
  embed(texts: readonly string[], options?: { abortSignal?: AbortSignal }): Promise<Float32Array[]>
  /**
   * The same at once, for models that live in the process and need no waiting. The engine uses it on the
   * write path when it is there.
   */
  embedNow?(text: string): Float32Array
}

/** A model that lives in the process and answers at once. */
export type EmbeddedModel = EmbeddingModel & Required<Pick<EmbeddingModel, 'embedNow'>>
