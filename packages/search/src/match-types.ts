// A search and its matches. Columns have one value for each row, so that `wordScores[row]` belongs to the document of that row.
import type { Documents } from './documents.ts'
import type { Posting, Postings } from './postings.ts'
import type { RetrievalRecipe } from './recipe.ts'
import type { SearchOptions, SearchQuery } from './search-types.ts'
import type { Vectors } from './vectors.ts'

/** A search: the columns of the index, and the query with its options. */
export interface Search {
  readonly documents: Documents
  readonly postings: Postings
  readonly vectors: Vectors | undefined
  readonly query: SearchQuery
  readonly recipe: RetrievalRecipe
  readonly options: SearchOptions
}

/** The documents that say a word in other terms. */
export interface RelatedRows {
  readonly rows: Int32Array
  /** Highest probability that one of these terms means the same as the word. */
  readonly maxProbability: number
}

/** A term of the query, and the documents that hold it. */
export interface MatchedTerm {
  readonly term: string
  /** The posting of the term, or of a term of which it may be a misspelling. `undefined` if no document holds either. */
  readonly posting: Posting | undefined
  /** Inverse document frequency of the term. */
  readonly rarity: number
  /** Documents that say, in other terms, a word of the query to which the term belongs. */
  readonly related: RelatedRows[]
}

/** The matches of a query. Its columns are valid until the next search. */
export interface Match extends Search {
  /** 1 for rows in reach: searchable, in the scopes, not after `asOf`. */
  readonly inReach: Uint8Array
  /** BM25 of the document's own words. */
  readonly wordScores: Float32Array
  /** BM25 of the turn with its neighbours. Each term counts once, with the highest gain that one of them gives. */
  readonly windowScores: Float32Array
  /** Summed rarity of the query's terms that the turn or its neighbours hold. */
  readonly heldRarity: Float32Array
  /** Number of the query's terms that the turn was the first to say. */
  readonly firstsInQuery: Int32Array
  /** Cosines, at least 0. */
  readonly cosine: Float32Array
  /** BM25 by session. */
  readonly sessionScores: Float64Array
  /** Highest values of the columns, or 1 if all are 0, for division. */
  readonly topWords: number
  readonly topCosine: number
  readonly topSession: number
  /** Summed rarity of all terms of the query, of which `heldRarity` is a part. */
  readonly rarity: number
  readonly terms: readonly MatchedTerm[]
  /** By index of speaker, 1 if the query wants the speaker's words. `null` if the query names none. */
  readonly isWantedSpeaker: Uint8Array | null
  /** Code of the role whose words the query wants, or `NONE`. */
  readonly role: number
}
