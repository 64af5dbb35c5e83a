/**
 * Least cosine at which LUFY returns a memory, for the built-in word vectors. The paper's 0.8 belongs to its
 * embedder, whose cosines all lie between 0.7 and 0.9; ours spread from 0 to 1. See docs/benchmarks/forgetting.md
 * for how it was calibrated.
 */
export const COSINE_THRESHOLD = 0.3
