/**
 * The port of cross-encoders and reranking services.
 *
 * @example
 * const model: RerankingModel = rerankWith(cohere.reranking('rerank-v3.5'))
 */
export interface RerankingModel {
  readonly id: string
  /**
   * Whether scores are probabilities of relevance, 0 to 1, which also set the confidence of a recall. Otherwise only
   * the order is used. Default false.
   */
  readonly isProbability?: boolean
  /** Maximum number of texts, for models with a cost per text. The preset's number when absent. */
  readonly most?: number
  /**
   * One score a text, in order; higher bears more on the question.
   * @throws ModelError when the model cannot answer.
   */
  rerank(question: string, texts: readonly string[], options?: RerankOptions): Promise<number[]>
}

/** What a model may want to know beside the words. Times are milliseconds since 1970. */
export interface RerankOptions {
  readonly abortSignal?: AbortSignal | undefined
  /** When each of the texts was said, in their order. */
  readonly saidAt?: readonly number[]
  /** The moment of asking. */
  readonly now?: number
}
