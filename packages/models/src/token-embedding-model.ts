// Defines the port of models that embed tokens.

/** A model of contextual token vectors. From them the benchmark harness computes BERTScore (Zhang et al. 2020). */
export interface TokenEmbeddingModel {
  /** Id of the model and of all settings that change its output, including its layer. */
  readonly id: string
  /** Returns vectors of length 1 of each text's tokens in order, without special tokens. @throws ModelError */
  embedTokens(
    texts: readonly string[],
    options?: { readonly abortSignal?: AbortSignal },
  ): Promise<readonly (readonly Float32Array[])[]>
}
