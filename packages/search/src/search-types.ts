/** Who said something. */
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
  /** Narrows searches within one user, such as by agent and app. */
  readonly scope: number
  readonly session: string
  /** Orders the turns of a session: those that follow each other are neighbours. */
  readonly position: number
  readonly role: Role
  readonly speaker: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  /** Content terms in order, with repetitions. */
  readonly terms: readonly string[]
  /** Bits: those of {@link DocumentTrait}, and any others. */
  readonly traits: number
  /** Only its direction counts; `null` without an embedding. */
  readonly vector: Float32Array | null
}

/** A document as the index keeps it. */
export type StoredDocument = Omit<SearchDocument, 'vector'>

/** A word of a query with other ways to say it. */
export interface RelatedWord {
  readonly terms: readonly string[]
  readonly related: readonly RelatedTerm[]
}

/** Another way to say a word. A document says it when it holds all terms. */
export interface RelatedTerm {
  readonly terms: readonly string[]
  /** Probability that the same is meant: above 0, at most 1. */
  readonly weight: number
}

/** From `from` until before `to`, in milliseconds since 1970. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** What is searched for. Only the terms are required. */
export interface SearchQuery {
  /** Distinct content terms. */
  readonly terms: readonly string[]
  /** Terms whose absence says nothing about whether an answer exists (“What is the *name* of …”). */
  readonly optionalTerms?: ReadonlySet<string> | undefined
  /** Other ways to say the query's words; for recipes that read them. */
  readonly relatedWords?: readonly RelatedWord[] | undefined
  /** Embedding of the query, by the model that embedded the documents. */
  readonly vector?: Float32Array | null | undefined
  /** Names of the speakers whose words are wanted. */
  readonly speakers?: readonly string[] | undefined
  /** Whose words are wanted when no speaker is named. */
  readonly role?: 'user' | 'assistant' | null | undefined
  /** Traits of which an answer should have one. */
  readonly expectedTraits?: number | undefined
  readonly timeRanges?: readonly TimeRange[] | undefined
}

export interface SearchOptions {
  /** Hits to return at most. */
  readonly limit: number
  /** The time of the query, in milliseconds since 1970; for recency. */
  readonly now: number
  readonly scopes?: ReadonlySet<number> | undefined
  readonly kind?: SearchDocument['kind'] | undefined
  /** Ignores documents after this time: they are neither found nor matched. */
  readonly asOf?: number | undefined
  /** Filters documents by what the index does not hold. Called only for documents that rank high enough. */
  readonly accepts?: ((id: string) => boolean) | undefined
}

export interface SearchHit {
  readonly id: string
  /** Higher is better. Comparable within one search only. */
  readonly score: number
  /** Parts of the score by the names of the recipe; they add up to it. */
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
  /** By term of the evidence: 1 where the document holds it, less where it says it in other words, else 0. */
  readonly held: readonly number[]
  /** The same of the question before it, where another speaker asked one; `null` where it answers none. */
  readonly asked: readonly number[] | null
  /** Id of the turn before it in its session. */
  readonly before: string | null
}

/** How well the documents match the query, on scales that do not depend on other candidates: inputs of a confidence. */
export interface Evidence {
  /** Documents in reach. */
  readonly documents: number
  /** The query's terms, as documents hold them, and their rarity. Optional terms that nothing holds are left out. */
  readonly terms: readonly { readonly term: string; readonly rarity: number }[]
  /** Terms of the query that no such statement holds, nor anything that surely means the same. */
  readonly unheardTerms: ReadonlySet<string>
  /** With named speakers: their best score minus the best of other users. */
  readonly aheadOfPeople: number
  /** With the role `user`: the best score minus the best that an agent says about itself. */
  readonly aheadOfAgent: number
  /** The first statements of the speaker asked about, best first. */
  readonly likely: readonly LikelyAnswer[]
  /** Largest share of the terms' rarity that one of the first documents holds, of any speaker. Pure questions do not count. */
  readonly nearest: number
  /** Highest cosine of those documents. */
  readonly nearestMeaning: number
}

export interface SearchResult {
  /** Best first. */
  readonly hits: readonly SearchHit[]
  /** Best first. */
  readonly sessions: readonly SessionHit[]
  readonly evidence: Evidence
}
