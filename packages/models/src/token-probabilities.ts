/** How probabilities of tokens are read. */
export interface TokenProbabilityOptions {
  /** The context before the text, exactly as the model should read it. It may be empty. */
  readonly before: string
  readonly abortSignal?: AbortSignal
}

/** A causal language model that returns the probability of given words. Chat tuning does not help. */
export interface TokenProbabilityModel {
  /** Changes with everything that changes the probabilities, which are comparable only under one id. */
  readonly id: string
  /** Returns ln p of each token of `text` given `before`. The first token of all has none. @throws ModelError */
  logProbabilities(text: string, options: TokenProbabilityOptions): Promise<number[]>
}
