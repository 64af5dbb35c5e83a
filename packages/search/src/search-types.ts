/** The role of a speaker. */
export type Role = 'user' | 'assistant' | 'other'

/** Bits of {@link SearchDocument.traits} that the scores use. Other bits are free: a query may expect them. */
export const DocumentTrait = {
  /** Every sentence asks something. */
  onlyAsks: 1,
  /** A sentence asks something. */
  asks: 2,
  /** The author speaks about themself. */
  firstPerson: 32,
} as const

/** A turn or a memory. */
export interface SearchDocument {
  readonly id: string
  readonly kind: 'turn' | 'memory'
  /** Number by which searches within one user can be limited, such as to an agent or app. */
  readonly scope: number
  readonly session: string
  /** Order of the turns of a session. Turns that follow each other are neighbours. */
  readonly position: number
  readonly role: Role
  readonly speaker: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  /** Content terms in order, with repetitions. */
  readonly terms: readonly string[]
  /** Bits: those of {@link DocumentTrait}, and any others. */
  readonly traits: number
  /** The embedding, of which only the direction counts, or `null`. */
  readonly vector: Float32Array | null
}

/** A document as the index keeps it. */
export type StoredDocument = Omit<SearchDocument, 'vector'>

/** A word of a query with other ways to say it. */
export interface RelatedWord {
  readonly terms: readonly string[]
  readonly related: readonly RelatedTerm[]
}

/** Another way to say a word. A document says it if it holds all terms. */
export interface RelatedTerm {
  readonly terms: readonly string[]
  /** Probability that the same is meant: above 0, at most 1. */
  readonly weight: number
}

/** A time range from `from` until before `to`, in milliseconds since 1970. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** A query. Only the terms are required. */
export interface SearchQuery {
  /** Distinct content terms. */
  readonly terms: readonly string[]
  /** Terms that a document with the answer need not hold: “name” in “What is the name of …”. */
  readonly optionalTerms?: ReadonlySet<string> | undefined
  /** Other ways to say the query's words. Only recipes with `readsOtherWords` use them. */
  readonly relatedWords?: readonly RelatedWord[] | undefined
  /** Embedding of the query, by the model that embedded the documents. */
  readonly vector?: Float32Array | null | undefined
  /** Names of the speakers whose words are wanted. */
  readonly speakers?: readonly string[] | undefined
  /** The role whose words are wanted if no speaker is named. */
  readonly role?: 'user' | 'assistant' | null | undefined
  /** Traits of which an answer should have one. */
  readonly expectedTraits?: number | undefined
  readonly timeRanges?: readonly TimeRange[] | undefined
}

export interface SearchOptions {
  /** Maximum number of hits. */
  readonly limit: number
  /** The time of the query in milliseconds since 1970, from which recency is computed. */
  readonly now: number
  readonly scopes?: ReadonlySet<number> | undefined
  readonly kind?: SearchDocument['kind'] | undefined
  /** Ignores documents after this time: they are neither found nor matched. */
  readonly asOf?: number | undefined
  /** Filters documents by facts that the index does not know. It is called only for documents that rank high enough. */
  readonly accepts?: ((id: string) => boolean) | undefined
}

export interface SearchHit {
  readonly id: string
  /** A higher score is better. Scores of different searches cannot be compared. */
  readonly score: number
  /** Parts of the score, by the names of the recipe. Their sum is the score. */
  readonly parts: Readonly<Record<string, number>>
}

export interface SessionHit {
  readonly session: string
  readonly scope: number
  /** Score of the session's best document. */
  readonly score: number
}

/** A document that may hold the answer: a statement of the speaker asked about. */
export interface LikelyAnswer {
  readonly id: string
  /** For each term of the evidence: 1 if the document holds it, less if it says it in other words, otherwise 0. */
  readonly held: readonly number[]
  /** The same values for the question of another speaker that the document answers, or `null` if it answers none. */
  readonly asked: readonly number[] | null
  /** Id of the turn before the document in its session. */
  readonly before: string | null
}

/** Measures of how well the documents match the query, from which recall computes its confidence. */
export interface Evidence {
  /** Number of documents that the search may find. */
  readonly documents: number
  /** The query's terms, as documents hold them, and their rarity. Optional terms that no document holds are left out. */
  readonly terms: readonly { readonly term: string; readonly rarity: number }[]
  /** Terms of the query that no statement of the speaker asked about holds, nor another term that surely means the same. */
  readonly unheardTerms: ReadonlySet<string>
  /** The best score of the named speakers minus the best of other users. 0 without named speakers. */
  readonly aheadOfPeople: number
  /** The best score of the user minus the best that an agent says about itself. 0 if the query does not want the user's words. */
  readonly aheadOfAgent: number
  /** The first statements of the speaker asked about, best first. */
  readonly likely: readonly LikelyAnswer[]
  /** Largest share of the terms' rarity that one of the first documents holds, of any speaker. Documents that only ask do not count. */
  readonly nearest: number
  /** Highest cosine of the same documents. */
  readonly nearestMeaning: number
}

export interface SearchResult {
  /** Best first. */
  readonly hits: readonly SearchHit[]
  /** Best first. */
  readonly sessions: readonly SessionHit[]
  readonly evidence: Evidence
}
