/**
 * The parts of a score, each with its place in an array of parts, which holds `PART_COUNT` numbers for each row:
 * `parts[place * PART_COUNT + PART.time]`. V8 keeps discarding the machine code of functions that read an object made by
 * `Object.fromEntries`, so the object is written out. Each part gives a document a value of about 0 to 1. The score is their weighted sum.
 * The choice of the parts is explained in `docs/decisions/0004-retrieval-without-a-model.md`.
 */
export const PART = {
  /** BM25 of the document's own words, divided by the highest value of the search. */
  lexical: 0,
  /** Cosine of the embeddings, divided by the highest value of the search. */
  semantic: 1,
  /** Words and meaning that the turns before and after it have, and the turn itself lacks. */
  neighbours: 2,
  /** Share of the question's terms, by rarity, that the turn or its neighbours hold. */
  coverage: 3,
  /** BM25 of the whole session, divided by the highest value of the search. */
  session: 4,
  /** Whether the person spoke whom the question asks about by name, “I” or “you”. */
  speaker: 5,
  /** Whether the document is from the time that the question names, or from the days around it. */
  time: 6,
  /**
   * Whether the document holds what the question asks for: a time for “when”, a number for “how many”, a name for “who”.
   * The value is lower if only the other half of the exchange holds it.
   */
  expected: 7,
  /** How well the preceding turn matches, if it asks something. */
  exchange: 8,
  /** Logarithm of the document's length in terms. */
  length: 9,
  /** Number of terms that neither an earlier turn nor the question holds. */
  novelty: 10,
  /** Whether the document asks something. Its weight is negative. */
  asking: 11,
  /** Recency, halved for every `RECENCY_HALF_LIFE_DAYS`. */
  recency: 12,
} as const

export type RetrievalPart = keyof typeof PART

export const RETRIEVAL_PARTS = Object.keys(PART) as readonly RetrievalPart[]
export const PART_COUNT: number = RETRIEVAL_PARTS.length

/** A named set of weights for ranking. A part of weight 0 is not computed. */
export interface RetrievalRecipe {
  readonly name: string
  readonly weights: Readonly<Record<RetrievalPart, number>>
  /** Whether related words of the query count (`synonyms` of `@keepsake/text`). */
  readonly readsOtherWords?: boolean | undefined
}

const ALL_ZERO = Object.fromEntries(RETRIEVAL_PARTS.map((part) => [part, 0])) as Record<RetrievalPart, number>

/** Keepsake's own weights, rounded. `docs/decisions/0004-retrieval-without-a-model.md` says how they were chosen. */
export const HYBRID: RetrievalRecipe = {
  name: 'hybrid',
  readsOtherWords: true,
  weights: {
    lexical: 0.85,
    semantic: 0.7,
    neighbours: 0.8,
    coverage: 0.65,
    session: 0.25,
    speaker: 0.7,
    time: 1,
    expected: 0.45,
    exchange: 0.3,
    length: 0.5,
    novelty: 0.4,
    asking: -0.15,
    recency: 0.1,
  },
}

/** Plain turn-level BM25, the baseline. */
export const BM25_ONLY: RetrievalRecipe = {
  name: 'bm25',
  weights: { ...ALL_ZERO, lexical: 1 },
}

/** Nearest vectors only, as in naive retrieval-augmented generation. */
export const COSINE_ONLY: RetrievalRecipe = {
  name: 'cosine',
  weights: { ...ALL_ZERO, semantic: 1 },
}

/**
 * Returns a recipe without some of its parts.
 *
 * @example
 * withoutParts(HYBRID, ['speaker', 'time'])
 */
export function withoutParts(recipe: RetrievalRecipe, parts: readonly RetrievalPart[]): RetrievalRecipe {
  if (parts.length === 0) return recipe
  const weights = { ...recipe.weights }
  for (const part of parts) weights[part] = 0
  return { ...recipe, name: `${recipe.name} without ${parts.join(', ')}`, weights }
}
