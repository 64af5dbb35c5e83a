/**
 * Least cosine at which LUFY returns a memory, for the built-in word vectors, by the language of the question: nine tenths
 * of turns taken at random lie below it in English, 85 % in Chinese (docs/benchmarks/signals.md). The paper's 0.8 belongs to its embedder, whose
 * cosines nearly all lie between 0.7 and 0.9.
 */
export const COSINE_THRESHOLD = { en: 0.3, zh: 0.2 } as const
