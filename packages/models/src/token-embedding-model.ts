/**
 * A model of contextual token vectors, from which BERTScore is computed (Zhang et al. 2020).
 * The engine does not use it. The benchmark harness does.
 */
export interface TokenEmbeddingModel {
  /** Id of the model and of all settings that change its output, including its layer. */
  readonly id: string
  /**
   * Returns the vectors of each text's tokens, in order and of length 1, without the model's special tokens.
   *
   * @throws ModelError when the model cannot answer
   */
  embedTokens(
    texts: readonly string[],
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<readonly (readonly Float32Array[])[]>
}
