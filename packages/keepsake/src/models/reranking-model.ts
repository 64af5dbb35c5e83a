/**
 * The port behind which a cross-encoder or reranking service reads question and text together.
 *
 * @example
 * const model: RerankingModel = rerankWith(cohere.reranking('rerank-v3.5'))
 */
export interface RerankingModel {
  readonly id: string
  /**
   * Whether a score is the probability, from 0 to 1, that the text bears on the question. Then the best of them tells how sure a recall is;
   * by scores on no fixed scale nothing but the order is changed. Default false.
   */
  readonly isProbability?: boolean
  /** Texts it is given at most, for a model to which each costs. Absent: as many as the preset has put in order anew. */
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
