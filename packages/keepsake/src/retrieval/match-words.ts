import type { AskedWord } from '@keepsake/text'
import { countDocuments, countHolding, type DocumentCounts } from './count-documents.ts'
import { NONE, type DocumentTable } from './document-table.ts'
import { findRelatedRows, type RelatedRows } from './match-related.ts'
import type { PostingList, Postings } from './postings.ts'
import type { RetrievalRecipe } from './retrieval-recipe.ts'
import { inverseDocumentFrequency, saturate, saturationsFor } from './score-bm25.ts'
import type { SearchOptions, SearchQuestion } from './search-types.ts'
import type { VectorTable } from './vector/vector-table.ts'

/**
 * How much of a word counts for the turns that follow it, and for those that precede it, nearest first. An answer
 * follows its question and a topic lingers, so words reach further forward than back.
 */
export const FOLLOWING: readonly number[] = [0.8, 0.6, 0.4, 0.3]
export const PRECEDING: readonly number[] = [0.5, 0.3]
/**
 * A word in more documents than this, and in more than this share of them, is not carried to neighbours: it tells
 * next to nothing, and in a large memory most of the time would go there. A memory of a few thousand turns is untouched.
 */
const COMMON = { documents: 2_000, share: 1 / 25 } as const
/**
 * How much of a question is held is reckoned as if so many turns more had been heard that lack its words: of a
 * memory of five turns, which hardly knows what is rare, a word never said must not outweigh one that was.
 */
const UNHEARD = 500
/** What a term counts for where only one that it may be misspelt for is found. */
const MISSPELT = 0.7
/** A session's words take this many sessions to compare with; of fewer, the part says nothing. */
const FEWEST_SESSIONS = 2

export interface RankingInput {
  readonly table: DocumentTable
  readonly postings: Postings
  readonly vectors: VectorTable | undefined
  readonly question: SearchQuestion
  readonly recipe: RetrievalRecipe
  readonly options: SearchOptions
  /** Where the documents are a choice: what is counted of all they were chosen from. */
  readonly whole?: DocumentCounts | undefined
  /** Cosines of the question with each row, where these are known already; they are written to. */
  readonly cosines?: Float32Array | undefined
}

/** A term of the question, with the documents that hold it. */
export interface MatchedTerm {
  readonly word: string
  /** `undefined` where nothing ever held it, or one that it may be misspelt for. */
  readonly list: PostingList | undefined
  readonly rarity: number
  /** Rows that may say it in other words, by the words of the question that it is of. */
  readonly otherwise: RelatedRows[]
  /** How sure it is, at best, that they mean the same by it. */
  surest: number
}

/** Columns of one search, kept between searches: a search ends before another begins. */
class Columns {
  own: Float32Array = new Float32Array(0)
  window: Float32Array = new Float32Array(0)
  held: Float32Array = new Float32Array(0)
  term: Float32Array = new Float32Array(0)
  cosine: Float32Array = new Float32Array(0)
  sums: Float64Array = new Float64Array(0)
  scores: Float32Array = new Float32Array(0)
  counted: Uint8Array = new Uint8Array(0)
  firstsAsked: Int32Array = new Int32Array(0)
  touched: Int32Array = new Int32Array(0)

  reserve(length: number): void {
    if (this.own.length >= length) {
      this.own.fill(0, 0, length)
      this.window.fill(0, 0, length)
      this.held.fill(0, 0, length)
      this.firstsAsked.fill(0, 0, length)
      return
    }
    const capacity = Math.ceil(length * 1.25)
    this.own = new Float32Array(capacity)
    this.window = new Float32Array(capacity)
    this.held = new Float32Array(capacity)
    this.term = new Float32Array(capacity)
    this.cosine = new Float32Array(capacity)
    this.sums = new Float64Array(capacity)
    this.scores = new Float32Array(capacity)
    this.counted = new Uint8Array(capacity)
    this.firstsAsked = new Int32Array(capacity)
    this.touched = new Int32Array(capacity)
  }
}

export const columns: Columns = new Columns()

/** Adds up BM25 by turn, by window and by session, a term at a time. */
export class WordMatcher {
  readonly sessionScores: Float64Array
  rarity = 0
  readonly terms: MatchedTerm[] = []
  readonly #termOf = new Map<string, MatchedTerm>()
  /** Of words that a question says again. */
  readonly #related = new Map<AskedWord, RelatedRows>()
  readonly #input: RankingInput
  readonly #counted: Uint8Array
  readonly #counts: DocumentCounts
  readonly #averageLength: number
  readonly #saturations: ReturnType<typeof saturationsFor>
  readonly #averageSession: number
  readonly #sessions: number
  readonly #sessionCounts: Int32Array
  readonly #countedSessions: number[] = []
  #touched = 0
  /** What a row gains in `held` by the term being matched. */
  #held = 0

  constructor(input: RankingInput, counted: Uint8Array) {
    const { table } = input
    this.#input = input
    this.#counted = counted
    const counts = countDocuments(table, input.whole)
    this.#counts = counts
    this.#averageLength = counts.terms / Math.max(1, counts.documents) || 1
    this.#saturations = saturationsFor(this.#averageLength)
    this.#sessions = counts.sessions
    this.#averageSession = counts.turnTerms / Math.max(1, counts.sessions) || 1
    this.sessionScores = new Float64Array(table.sessions.length)
    this.#sessionCounts = new Int32Array(table.sessions.length)
  }

  match(word: string): void {
    const { postings, recipe } = this.#input
    const { documents } = this.#counts
    const exact = postings.list(word)
    const isFound = exact !== undefined && exact.size > 0
    const list = isFound ? exact : postings.listOfAlike(word)
    const holding = isFound ? countHolding(this.#counts, word, list) : (list?.size ?? 0)
    const held = inverseDocumentFrequency(documents + UNHEARD, holding)
    this.rarity += held
    const term: MatchedTerm = { word, list, rarity: held, otherwise: [], surest: 0 }
    this.terms.push(term)
    this.#termOf.set(word, term)
    if (list === undefined || list.size === 0) return
    const share = isFound ? 1 : MISSPELT
    const rarity = share * inverseDocumentFrequency(documents, holding)
    if (list.first >= 0) columns.firstsAsked[list.first] = (columns.firstsAsked[list.first] ?? 0) + 1
    const isCommon = holding > Math.max(COMMON.documents, COMMON.share * documents)
    this.#addWords(list, rarity, share * held, isCommon)
    if (recipe.weights.session !== 0 && this.#sessions >= FEWEST_SESSIONS)
      this.#addSessions(list, this.#counts.sessionsHolding.get(word) ?? 0)
  }

  /**
   * What is said in other words counts for the turn and those around it. Of what is held of the question it is no
   * part: nothing tells whether it is the same that is meant.
   */
  matchRelated(word: AskedWord): void {
    const terms = [...new Set(word.terms)].flatMap((term) => this.#termOf.get(term) ?? [])
    const related = this.#relatedRows(word)
    for (const one of terms) {
      one.surest = Math.max(one.surest, related.surest)
      one.otherwise.push(related)
    }
    const { rows, values } = related
    const carries = this.#input.recipe.weights.neighbours !== 0
    const { own } = columns
    this.#held = 0
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number
      const value = values[i] as number
      own[row] = (own[row] as number) + value
      if (carries) this.#carry(row, value)
    }
    this.#forgetTouched()
  }

  #relatedRows(word: AskedWord): RelatedRows {
    const known = this.#related.get(word)
    if (known !== undefined) return known
    const found = findRelatedRows(word, this.#input, this.#counted, this.#saturations)
    this.#related.set(word, found)
    return found
  }

  #addWords(list: PostingList, rarity: number, share: number, isCommon: boolean): void {
    const saturations = this.#saturations
    if (isCommon || this.#input.recipe.weights.neighbours === 0) {
      this.#addEach(list, rarity, share)
      return
    }
    const { lengths } = this.#input.table
    const counted = this.#counted
    const { own } = columns
    const { entries, size } = list
    this.#held = share
    for (let i = 0; i < size; i++) {
      const entry = entries[i] as number
      const row = entry >>> 8
      if (counted[row] === 0) continue
      const value = rarity * saturations.of(entry & 255, lengths[row] as number)
      own[row] = (own[row] as number) + value
      this.#carry(row, value)
    }
    this.#forgetTouched()
  }

  /** The same for a term that is carried to no neighbours: each row has it once, so that it counts where it stands. */
  #addEach({ entries, size }: PostingList, rarity: number, share: number): void {
    const { lengths } = this.#input.table
    const { own, window, held } = columns
    const counted = this.#counted
    const saturations = this.#saturations
    for (let i = 0; i < size; i++) {
      const entry = entries[i] as number
      const row = entry >>> 8
      if (counted[row] === 0) continue
      const value = rarity * saturations.of(entry & 255, lengths[row] as number)
      own[row] = (own[row] as number) + value
      window[row] = (window[row] as number) + value
      held[row] = (held[row] as number) + share
    }
  }

  /** What a row says counts for itself and, where it is a turn, for those around it. */
  #carry(row: number, value: number): void {
    const { isTurn, next, previous } = this.#input.table
    this.#raise(row, value)
    if (isTurn[row] === 0) return
    let at = row
    for (let i = 0; i < FOLLOWING.length; i++) {
      at = next[at] as number
      if (at === NONE) break
      this.#raise(at, value * (FOLLOWING[i] as number))
    }
    at = row
    for (let i = 0; i < PRECEDING.length; i++) {
      at = previous[at] as number
      if (at === NONE) break
      this.#raise(at, value * (PRECEDING[i] as number))
    }
  }

  /** A term counts once in a window, where it counts most. */
  #raise(row: number, value: number): void {
    const { term, window, held, touched } = columns
    const known = term[row] as number
    if (value <= known || this.#counted[row] === 0) return
    if (known === 0) {
      touched[this.#touched++] = row
      held[row] = (held[row] as number) + this.#held
    }
    term[row] = value
    window[row] = (window[row] as number) + value - known
  }

  #forgetTouched(): void {
    const { term, touched } = columns
    for (let i = 0; i < this.#touched; i++) term[touched[i] as number] = 0
    this.#touched = 0
  }

  /** @param holding sessions that hold the term, where that is told */
  #addSessions({ entries, size }: PostingList, holding: number): void {
    const { sessions, sessionOf, isTurn } = this.#input.table
    const counted = this.#counted
    const counts = this.#sessionCounts
    const found = this.#countedSessions
    found.length = 0
    for (let i = 0; i < size; i++) {
      const entry = entries[i] as number
      const row = entry >>> 8
      if (counted[row] === 0 || isTurn[row] === 0) continue
      const session = sessionOf[row] as number
      const count = counts[session] as number
      if (count === 0) found.push(session)
      counts[session] = count + (entry & 255)
    }
    const rarity = inverseDocumentFrequency(this.#sessions, Math.max(found.length, holding))
    for (const session of found) {
      const relativeLength = (sessions[session]?.liveTerms ?? 0) / this.#averageSession
      const before = this.sessionScores[session] ?? 0
      this.sessionScores[session] = before + rarity * saturate(counts[session] ?? 0, relativeLength)
      counts[session] = 0
    }
  }
}
