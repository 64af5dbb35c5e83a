/**
 * Least cosine at which a liked and a disliked thing are taken for the same, per embedder. Word vectors put opposites
 * of a kind close together: over 23 pairs that mean the same and 26 that do not (docs/benchmarks/persona-rules.md),
 * "red wine" and "white wine" reach 0.89, and every pair above 0.9 means the same. Below that a true memory would be
 * deleted, so the rest (18 of the 23) are left to stand side by side. MOOM uses a reranker's score and names no
 * threshold.
 */
const MEASURED: readonly (readonly [prefix: string, threshold: number])[] = [['keepsake/words', 0.9]]
/** An embedder that was not measured gets the strictest that was. */
const UNMEASURED = 0.9

/**
 * @param embedder the embedding model's id
 * @returns a cosine, 0 to 1
 */
export function contradictionThreshold(embedder: string): number {
  return MEASURED.find(([prefix]) => embedder.startsWith(prefix))?.[1] ?? UNMEASURED
}
