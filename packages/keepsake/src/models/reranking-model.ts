/**
 * The port behind which a cross-encoder or reranking service reads question and text together.
 *
 * @example
 * const model: RerankingModel = rerankWith(cohere.reranking('rerank-v3.5'))
 */
export interface RerankingModel {
  readonly id: string
  /**
   * One score a text, in order; higher bears more on the question. On no fixed scale.
   * @throws ModelError when the model cannot answer.
   */
  rerank(
    question: string,
    texts: readonly string[],
    options?: { abortSignal?: AbortSignal },
  ): Promise<number[]>
}
