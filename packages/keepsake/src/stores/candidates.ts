import type { IndexRows, OwnerVersion } from './rows.ts'

/**
 * What may answer a question of a person who is too large to be read whole: a store that can search gives candidates, and the engine
 * ranks these as it ranks everything. Optional: `Store.candidates` is there where the store can do it.
 *
 * What candidates are found by is derived from the person's rows, as an image is: kept only of those who are asked so, no part of an
 * export, and keeping it raises no revision. It holds words, so it goes with whatever is erased, in the same transaction.
 */
export interface Candidates {
  /** Whether a person has so many turns and memories, or more; cheap, and no more exact than that needs. */
  isLarge(owner: number, documents: number): Promise<boolean>
  /**
   * Brings what candidates are found by up to the person's rows, in steps of which none holds the person up for long. Killed in between,
   * the next goes on. To be called before each search; the first of a person takes as long as reading them.
   */
  keep(kept: KeptCandidates): Promise<void>
  /** The candidates for a question, with all that is needed to judge them, in one snapshot. */
  find(question: CandidateQuestion): Promise<FoundCandidates>
}

/** Whose documents are searched, and which of them may be found. Changed, everything is kept anew. */
export interface KeptCandidates {
  readonly owner: number
  /** Forms of memories that are found by words of their own, while they are live. */
  readonly forms: readonly string[]
  /** Whether a turn is found while a live utterance keeps it. */
  readonly findsKeptTurns: boolean
  /** A turn is found as it stands until this branch has read it. */
  readonly branch: string
}

/** A word of a question. */
export interface CandidateTerm {
  /** As the index has it. */
  readonly term: string
  /** How much it counts beside the others, 0 to 1. */
  readonly weight: number
}

/** A stretch of time, without its end, in milliseconds since 1970. */
export interface CandidateTime {
  readonly from: number
  readonly to: number
}

export interface CandidateQuestion extends KeptCandidates {
  readonly scopes: readonly number[]
  readonly terms: readonly CandidateTerm[]
  /** `null` where the question has none. */
  readonly vector: Float32Array | null
  /** Whose vectors it is compared with. */
  readonly embedder: string
  /** Times that it names: what was said then are candidates too. */
  readonly times: readonly CandidateTime[]
  /** Nothing said or learned later is found; `null` for now. */
  readonly asOf: number | null
  /** Keys of facts that are shown whatever is asked: the latest of each are candidates. */
  readonly keys: readonly string[]
  /** How many at most by each way: words, meaning, a time, the latest of each form. */
  readonly most: CandidateCounts
}

export interface CandidateCounts {
  readonly words: number
  readonly nearest: number
  /** Of each time that is named. */
  readonly time: number
  readonly latest: number
}

export interface FoundCandidates {
  /**
   * The candidates' rows with those of the turns around them and of the turns that memories among them rest on; every memory that rests
   * on one of these turns, whatever its status, but for live ones with words of their own that are no candidates.
   */
  readonly rows: IndexRows
  readonly whole: WholeCounts
}

/** What tells how rare a word is: of all of the person's documents that may be found, not of the candidates. */
export interface WholeCounts {
  readonly version: OwnerVersion
  readonly documents: number
  /** Terms of all of them together, repeats included. */
  readonly terms: number
  /** The same of turns alone. */
  readonly turnTerms: number
  readonly sessions: number
  /** In how many of the documents each term of the question stands. */
  readonly holding: ReadonlyMap<string, number>
  /** In how many of the sessions. */
  readonly sessionsHolding: ReadonlyMap<string, number>
  /** Of words of the candidates' turns: the one among these that was the first of all to say it, where it is one of these. */
  readonly firstSaid: ReadonlyMap<string, string>
}
