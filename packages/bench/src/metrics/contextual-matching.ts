import type { TokenEmbeddingModel } from '@keepsake/models'
import { matchGreedily } from './greedy-matching.ts'
import type { Overlap } from './text/overlap.ts'
import { dot } from './means.ts'

/** Compares prepared texts by BERTScore, without further requests to the model. */
export interface PreparedTokens {
  /** Returns precision, recall and F1 of prepared texts. All are 0 if a text has no token. */
  match(candidate: string, reference: string): Overlap
}

/** The number of texts in one request to the model. */
const BATCH = 32

/** Computes BERTScore (Zhang et al. 2020), which matches tokens by vectors in context. Without idf and rescaling, so compare figures of one model only. */
export function contextualMatcher(model: TokenEmbeddingModel) {
  const tokensByText = new Map<string, readonly Float32Array[]>()
  return {
    id: model.id,
    prepare: async (texts: readonly string[]): Promise<PreparedTokens> => {
      const unknown = [...new Set(texts)].filter((text) => !tokensByText.has(text))
      for (let at = 0; at < unknown.length; at += BATCH) {
        const batch = unknown.slice(at, at + BATCH)
        const vectors = await model.embedTokens(batch)
        for (const [index, text] of batch.entries()) tokensByText.set(text, vectors[index] ?? [])
      }
      const tokensOf = (text: string): readonly Float32Array[] => {
        const tokens = tokensByText.get(text)
        if (tokens !== undefined) return tokens
        throw new RangeError(
          `“${text.slice(0, 60)}” was not prepared. Give prepare() every text that is compared.`,
        )
      }
      return {
        match: (candidate, reference) =>
          matchGreedily(tokensOf(candidate), tokensOf(reference), (a, b) =>
            Math.min(1, Math.max(0, dot(a, b))),
          ),
      }
    },
  }
}

export type ContextualMatcher = ReturnType<typeof contextualMatcher>
