/** How probabilities of tokens are read. */
export interface TokenProbabilityOptions {
  /** The context before the text, exactly as the model should read it. It may be empty. */
  readonly before: string
  readonly abortSignal?: AbortSignal
}

/**
 * A causal language model that returns the probability of given words.
 * Any model that scores a given text will do. Chat tuning does not help.
 */
export interface TokenProbabilityModel {
  /** Changes with everything that changes the probabilities, which are comparable only under one id. */
  readonly id: string
  /**
   * Returns ln p of each token of `text`, in order, given `before` and the preceding tokens. Each is 0 or less.
   * The first token of all has no probability, so a one-token text after an empty `before` may give none.
   *
   * @throws ModelError when the model cannot be reached or gives an unusable answer.
   */
  logProbabilities(text: string, options: TokenProbabilityOptions): Promise<number[]>
}
