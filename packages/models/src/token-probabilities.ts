// Defines the port of models that return the probabilities of given words.

/** Options of a request for probabilities. */
export interface TokenProbabilityOptions {
  /** The context before the text, exactly as the model should read it. It may be empty. */
  readonly before: string
  readonly abortSignal?: AbortSignal
}

/** A causal language model that returns the probability of given words. A model without chat tuning is enough. */
export interface TokenProbabilityModel {
  /** Id of the model and of all settings that change probabilities. They are comparable only under one id. */
  readonly id: string
  /** Returns ln p of each token of `text` after `before`. If `before` is empty, the first token has none. @throws ModelError */
  logProbabilities(text: string, options: TokenProbabilityOptions): Promise<number[]>
}
