/**
 * A model that gives each token of a text a vector in its context: what BERTScore is computed with (Zhang et al. 2020). The
 * engine itself needs none; the harness does.
 */
export interface TokenEmbeddingModel {
  /** Names the model and everything that changes what it gives, its layer included. */
  readonly id: string
  /**
   * The vectors of each text's tokens, in order, of length 1, without those of the tokens that the model itself puts around a text.
   *
   * @throws ModelError when the model cannot answer
   */
  embedTokens(
    texts: readonly string[],
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<readonly (readonly Float32Array[])[]>
}
