export interface TokenProbabilityOptions {
  /** What was said before the text, exactly as the model should read it; may be empty. */
  readonly before: string
  readonly abortSignal?: AbortSignal
}

/**
 * A causal language model that can tell how likely given words were. What it measures it does not write: any model
 * whose scores for a handed-in text can be read will do, chat tuning is of no use.
 */
export interface TokenProbabilityModel {
  /** Changes with everything that changes the probabilities: they are comparable only under one id. */
  readonly id: string
  /**
   * ln p of each token of `text`, in order, given `before` and the tokens of `text` before it; each 0 or less. The
   * first token of all has no probability and is left out, so a one-token text after an empty `before` may give none.
   *
   * @throws ModelError when the model cannot be reached or answers with something unusable.
   */
  logProbabilities(text: string, options: TokenProbabilityOptions): Promise<number[]>
}
