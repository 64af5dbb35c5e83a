// Ports of the models beside the language model: reranking and signals.
/** How strongly an utterance is felt, on EmoBank's scale: 1 (calm) to 5 (excited), about 3 for plain talk. */
export interface ArousalModel {
  readonly id: string
  /** Arousal of each text, in order. Texts it cannot read get the scale's middle, 3. */
  arousal(texts: readonly string[]): Promise<number[]> | number[]
}

/** What a turn is read against when its surprise is measured. */
export interface SurpriseContext {
  /** The agent's turn just before, or an empty string. */
  readonly previous: string
  /** What the same person said earlier, oldest first. */
  readonly history: readonly string[]
}

/** How unexpected an utterance is: perplexity, from 1 (foreseen word for word) upwards, not yet capped. */
export interface SurpriseModel {
  readonly id: string
  surprise(text: string, context: SurpriseContext): Promise<number> | number
}

/** How much an utterance will matter later: LUFY's 1 (mundane) to 10 (extremely important). */
export interface ImportanceModel {
  readonly id: string
  importance(text: string, context: { readonly summary: string }): Promise<number> | number
}

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
