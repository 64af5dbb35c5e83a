import type { SearchFilter } from './indexed-document.ts'
import type { ReadQuestion } from './read-question.ts'
import type { RetrievalPart } from './retrieval-recipe.ts'

/** A question, ready to be searched for. */
export interface SearchQuestion {
  readonly read: ReadQuestion
  /** The embedding of `read.about` by the model that embedded the documents; `null` when there is none. */
  readonly vector: Float32Array | null
}

export interface SearchOptions extends SearchFilter {
  /** Hits to return at most. */
  readonly limit: number
  /** The moment of asking, in milliseconds since 1970; for recency. */
  readonly now: number
}

export interface SearchHit {
  readonly id: string
  readonly score: number
  /** What the score is made of: weighted values that add up to it. Parts that gave nothing are left out. */
  readonly parts: Readonly<Partial<Record<RetrievalPart, number>>>
}

export interface SessionHit {
  readonly session: string
  readonly scope: number
  readonly score: number
}

export interface SearchResult {
  /** Best first. */
  readonly hits: readonly SearchHit[]
  /** Sessions, best first: by their best turn, without what only tells turns of one session apart. */
  readonly sessions: readonly SessionHit[]
  /** Probability that the documents hold what was asked about; see `measure-confidence.ts`. */
  readonly confidence: number
}
