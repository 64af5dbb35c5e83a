/** What was left out of a question to a language model, and why. */
export interface LeftOut {
  readonly what: 'turns' | 'session-memories' | 'memories' | 'sentences'
  readonly count: number
  /** How many there were. */
  readonly of: number
  /**
   * `window`: the model's window does not hold them. `unsafe`: they must not be kept (COMEDY). `length`: the answer stayed longer than
   * it may be, after the model was asked to shorten it.
   */
  readonly cause: 'window' | 'unsafe' | 'length'
}
