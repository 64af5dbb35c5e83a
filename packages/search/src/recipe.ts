/**
 * What a score is made of. Each part gives a document a value of about 0 to 1; the score is their weighted sum.
 * How the parts were chosen: `docs/decisions/0004-retrieval-without-a-model.md`.
 */
export const RETRIEVAL_PARTS = [
  /** BM25 of the document's own words, over the question's best. */
  'lexical',
  /** Cosine of the embeddings, over the question's best. */
  'semantic',
  /** What the turns before and after add to the two above: words and meaning the turn itself lacks. */
  'neighbours',
  /** Share of the question's rarity that the turn or those around it hold, however often or far. */
  'coverage',
  /** BM25 of the whole session, over the question's best. */
  'session',
  /** The question asks about a person (by name, “I”, “you”), and that person spoke. */
  'speaker',
  /** The document is of the time that the question names, or of the days around it. */
  'time',
  /**
   * It holds the kind of thing asked for: a time for “when”, a number for “how many”, a name for “who”. Less where
   * only the other half of the exchange holds it.
   */
  'expected',
  /** It follows a question that resembles the question. */
  'exchange',
  /** It has something to say: the logarithm of its length in terms. */
  'length',
  /** It is the first to say something: terms that no earlier turn held and the question does not give away. */
  'novelty',
  /** It asks and does not tell; its weight is negative. */
  'asking',
  /** It was said recently: a half for every `RECENCY_HALF_LIFE_DAYS`. */
  'recency',
] as const

export type RetrievalPart = (typeof RETRIEVAL_PARTS)[number]

/** A named way to rank: how much each part weighs. A part of weight 0 is not computed. */
export interface RetrievalRecipe {
  readonly name: string
  readonly weights: Readonly<Record<RetrievalPart, number>>
  /** Whether what is said in other words counts (`synonyms` of `@keepsake/text`). */
  readonly readsOtherWords?: boolean | undefined
}

const NOTHING: Readonly<Record<RetrievalPart, number>> = {
  lexical: 0,
  semantic: 0,
  neighbours: 0,
  coverage: 0,
  session: 0,
  speaker: 0,
  time: 0,
  expected: 0,
  exchange: 0,
  length: 0,
  novelty: 0,
  asking: 0,
  recency: 0,
}

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
  weights: { ...NOTHING, lexical: 1 },
}

/** Plain nearest vectors: what naive retrieval-augmented generation does. */
export const COSINE_ONLY: RetrievalRecipe = {
  name: 'cosine',
  weights: { ...NOTHING, semantic: 1 },
}

/**
 * The same recipe with parts switched off.
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
