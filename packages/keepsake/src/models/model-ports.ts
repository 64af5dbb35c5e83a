// Defines the ports of the models for reranking and for the signals of utterances.

/** Measures the arousal of an utterance on EmoBank's scale, from 1 (calm) to 5 (excited). Plain talk has about 3. */
export interface ArousalModel {
  readonly id: string
  /** Returns the arousal of each text, in order. Texts that it cannot read get the middle of the scale, 3. */
  arousal(texts: readonly string[]): Promise<number[]> | number[]
}

/** The context in which the surprise of a turn is measured. */
export interface SurpriseContext {
  /** The agent's turn before it, or an empty string. */
  readonly previous: string
  /** Earlier texts of the same speaker, oldest first. */
  readonly history: readonly string[]
}

/** Measures how unexpected an utterance is, as perplexity: 1 if every word was predicted, with no upper limit. */
export interface SurpriseModel {
  readonly id: string
  surprise(text: string, context: SurpriseContext): Promise<number> | number
}

/** Rates how important an utterance is for later, on LUFY's scale from 1 (mundane) to 10 (extremely important). */
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
  /** Whether scores are probabilities, which also set a recall's confidence. Default false: only the order is used. */
  readonly isProbability?: boolean
  /** Maximum number of texts in a request, for models that charge by text. The preset's number when absent. */
  readonly most?: number
  /** Returns a score for each text; higher means more relevant. @throws ModelError when the model cannot answer */
  rerank(question: string, texts: readonly string[], options?: RerankOptions): Promise<number[]>
}

/** Further input of a reranking model. Times are milliseconds since 1970. */
export interface RerankOptions {
  readonly abortSignal?: AbortSignal | undefined
  /** Time of each text, in their order. */
  readonly saidAt?: readonly number[]
  /** Time of the question. */
  readonly now?: number
}
