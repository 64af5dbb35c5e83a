import type { SearchFilter } from './indexed-document.ts'
import type { ReadQuestion } from '@keepsake/text'
import type { Score } from './score.ts'
import type { Evidence } from './weigh-evidence.ts'

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

/** A document found, with the parts of the recipe that make its score. */
export interface SearchHit extends Score {
  readonly id: string
  /** Its row in the index, until that changes. */
  readonly row: number
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
  /** What tells whether the documents hold what was asked about; see `measure-confidence.ts`. */
  readonly evidence: Evidence
}
