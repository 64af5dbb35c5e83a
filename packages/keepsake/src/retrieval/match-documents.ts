import type { AskedWord } from '../thesaurus/read-words.ts'
import { NONE, ROLE_CODES, type DocumentTable } from './document-table.ts'
import { findRelatedRows } from './match-related.ts'
import type { PostingList, Postings } from './postings.ts'
import type { RetrievalRecipe } from './retrieval-recipe.ts'
import { inverseDocumentFrequency, saturate } from './score-bm25.ts'
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
}

/** A term of the question, with the documents that hold it. */
export interface MatchedTerm {
  readonly word: string
  /** `undefined` where nothing ever held it, or one that it may be misspelt for. */
  readonly list: PostingList | undefined
  readonly rarity: number
  /** Rows that may say it in other words. */
  readonly otherwise: Set<number>
}

/** What the documents have in common with the question, before it is weighed. Columns are valid until the next search. */
export interface Matches extends RankingInput {
  /** 1 for rows that count: searchable, in the scopes asked, not after `asOf`. */
  readonly counted: Uint8Array
  /** BM25 of each document's own words. */
  readonly own: Float32Array
  /** BM25 of each turn with its neighbours; each term counts once, where it counts most. */
  readonly window: Float32Array
  /** Summed rarity of the question's terms that the turn (or its neighbours, where they count) holds, however often or far. */
  readonly held: Float32Array
  /** Terms that each row was the first to say. */
  readonly firsts: Int32Array
  /** How many of them the question gives away. */
  readonly firstsAsked: Int32Array
  /** Cosines, none below zero; `undefined` without vectors. */
  readonly cosine: Float32Array | undefined
  /** BM25 of each session. */
  readonly sessionScores: Float64Array
  readonly topWords: number
  readonly topCosine: number
  readonly topSession: number
  /** Numbers of the speakers asked about. */
  readonly speakers: ReadonlySet<number>
  /** 1 at the number of each of them. */
  readonly isAsked: Uint8Array
  readonly roleCode: number
  /** Summed rarity of the question's terms, those that occur nowhere included; of this `held` is a share. */
  readonly rarity: number
  readonly terms: readonly MatchedTerm[]
}

/** Columns of one search, kept between searches: a search ends before another begins. */
class Columns {
  own = new Float32Array(0)
  window = new Float32Array(0)
  held = new Float32Array(0)
  term = new Float32Array(0)
  cosine = new Float32Array(0)
  sums = new Float64Array(0)
  scores = new Float32Array(0)
  counted = new Uint8Array(0)
  firstsAsked = new Int32Array(0)
  touched = new Int32Array(0)

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

const columns = new Columns()

/** Columns for the scores of so many rows, no more than the last search's table has: sums of nothing yet, and scores. */
export function scoreColumns(length: number): { sums: Float64Array; scores: Float32Array } {
  return { sums: columns.sums.subarray(0, length).fill(0), scores: columns.scores }
}

/** Matches words, meaning and sessions with the question. */
export function matchDocuments(input: RankingInput): Matches {
  const { table, vectors, question, recipe } = input
  columns.reserve(table.length)
  const counted = findCounted(input)
  const matcher = new WordMatcher(input, counted)
  for (const word of question.read.terms) matcher.match(word)
  if (recipe.readsOtherWords) for (const word of question.read.words) matcher.matchRelated(word)
  const cosine =
    recipe.weights.semantic === 0 ? undefined : matchMeaning(vectors, question.vector, counted, table.length)
  const words = recipe.weights.neighbours === 0 ? columns.own : columns.window
  const { role, named } = question.read
  const speakers = new Set(named.map((name) => table.speakerNumber(name)))
  const isAsked = new Uint8Array(table.speakerCount)
  for (const speaker of speakers) isAsked[speaker] = 1
  return {
    ...input,
    counted,
    own: columns.own,
    window: columns.window,
    held: columns.held,
    firsts: input.postings.firsts,
    firstsAsked: columns.firstsAsked,
    cosine,
    sessionScores: matcher.sessionScores,
    topWords: highest(words, table.length),
    topCosine: cosine === undefined ? 1 : highest(cosine, table.length),
    topSession: highest(matcher.sessionScores, matcher.sessionScores.length),
    speakers,
    isAsked,
    roleCode: role === null ? NONE : ROLE_CODES[role],
    rarity: matcher.rarity,
    terms: matcher.terms,
  }
}

/** Which rows count for statistics and neighbours: searchable, within the scopes, and not after `asOf`. */
function findCounted({ table, options }: RankingInput): Uint8Array {
  const { scopes, asOf } = options
  if ((scopes === undefined || coversAll(table, scopes)) && asOf === undefined) return table.live
  const until = asOf ?? Number.POSITIVE_INFINITY
  const { counted } = columns
  for (let row = 0; row < table.length; row++) {
    const inReach = scopes === undefined || scopes.has(table.scopes[row] ?? NONE)
    counted[row] = inReach && (table.at[row] ?? 0) <= until ? (table.live[row] ?? 0) : 0
  }
  return counted
}

function coversAll(table: DocumentTable, scopes: ReadonlySet<number>): boolean {
  for (const scope of table.knownScopes) if (!scopes.has(scope)) return false
  return true
}

/** Adds up BM25 by turn, by window and by session, a term at a time. */
class WordMatcher {
  readonly sessionScores: Float64Array
  rarity = 0
  readonly terms: MatchedTerm[] = []
  readonly #input: RankingInput
  readonly #counted: Uint8Array
  readonly #averageLength: number
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
    this.#averageLength = table.liveTerms / Math.max(1, table.liveCount) || 1
    this.#sessions = table.liveSessions
    this.#averageSession = table.liveTurnTerms / Math.max(1, table.liveSessions) || 1
    this.sessionScores = new Float64Array(table.sessions.length)
    this.#sessionCounts = new Int32Array(table.sessions.length)
  }

  match(word: string): void {
    const { postings, table, recipe } = this.#input
    const exact = postings.list(word)
    const isFound = exact !== undefined && exact.size > 0
    const list = isFound ? exact : postings.listOfAlike(word)
    const held = inverseDocumentFrequency(table.liveCount + UNHEARD, list?.size ?? 0)
    this.rarity += held
    this.terms.push({ word, list, rarity: held, otherwise: new Set() })
    if (list === undefined || list.size === 0) return
    const share = isFound ? 1 : MISSPELT
    const rarity = share * inverseDocumentFrequency(table.liveCount, list.size)
    if (list.first >= 0) columns.firstsAsked[list.first] = (columns.firstsAsked[list.first] ?? 0) + 1
    const isCommon = list.size > Math.max(COMMON.documents, COMMON.share * this.#input.table.liveCount)
    this.#addWords(list, rarity, share * held, isCommon)
    if (recipe.weights.session !== 0 && this.#sessions >= FEWEST_SESSIONS) this.#addSessions(list)
  }

  /**
   * What is said in other words counts for the turn and those around it. Of what is held of the question it is no
   * part: nothing tells whether it is the same that is meant.
   */
  matchRelated(word: AskedWord): void {
    const { table, recipe } = this.#input
    const { next, previous, isTurn } = table
    const { own, term, touched } = columns
    this.#touched = 0
    this.#held = 0
    const terms = this.terms.filter(({ word: term }) => word.terms.includes(term))
    for (const [row, value] of findRelatedRows(word, this.#input, this.#counted, this.#averageLength)) {
      own[row] = (own[row] ?? 0) + value
      for (const { otherwise } of terms) otherwise.add(row)
      if (recipe.weights.neighbours === 0) continue
      this.#raise(row, value)
      if (isTurn[row] === 0) continue
      this.#spread(next, row, value, FOLLOWING)
      this.#spread(previous, row, value, PRECEDING)
    }
    for (let i = 0; i < this.#touched; i++) term[touched[i] ?? 0] = 0
  }

  #addWords({ entries, size }: PostingList, rarity: number, share: number, isCommon: boolean): void {
    const { table, recipe } = this.#input
    const { lengths, isTurn, next, previous } = table
    const { own, held, term, touched } = columns
    const hasWindow = recipe.weights.neighbours !== 0
    this.#touched = 0
    this.#held = share
    for (let i = 0; i < size; i++) {
      const entry: number = entries[i] ?? 0
      const row = entry >>> 8
      if (this.#counted[row] === 0) continue
      const value = rarity * saturate(entry & 255, (lengths[row] ?? 0) / this.#averageLength)
      own[row] = (own[row] ?? 0) + value
      if (!hasWindow) {
        held[row] = (held[row] ?? 0) + share
        continue
      }
      this.#raise(row, value)
      if (isCommon || isTurn[row] === 0) continue
      this.#spread(next, row, value, FOLLOWING)
      this.#spread(previous, row, value, PRECEDING)
    }
    for (let i = 0; i < this.#touched; i++) term[touched[i] ?? 0] = 0
  }

  #spread(links: Int32Array, from: number, value: number, shares: readonly number[]): void {
    let row = from
    for (let i = 0; i < shares.length; i++) {
      row = links[row] ?? NONE
      if (row === NONE) return
      this.#raise(row, value * (shares[i] ?? 0))
    }
  }

  /** A term counts once in a window, where it counts most. */
  #raise(row: number, value: number): void {
    const { term, window, held, touched } = columns
    const known = term[row] ?? 0
    if (value <= known || this.#counted[row] === 0) return
    if (known === 0) {
      touched[this.#touched++] = row
      held[row] = (held[row] ?? 0) + this.#held
    }
    term[row] = value
    window[row] = (window[row] ?? 0) + value - known
  }

  #addSessions({ entries, size }: PostingList): void {
    const { sessions, sessionOf, isTurn } = this.#input.table
    const counts = this.#sessionCounts
    const found = this.#countedSessions
    found.length = 0
    for (let i = 0; i < size; i++) {
      const entry: number = entries[i] ?? 0
      const row = entry >>> 8
      if (this.#counted[row] === 0 || isTurn[row] === 0) continue
      const session = sessionOf[row] ?? NONE
      if (counts[session] === 0) found.push(session)
      counts[session] = (counts[session] ?? 0) + (entry & 255)
    }
    const rarity = inverseDocumentFrequency(this.#sessions, found.length)
    for (const session of found) {
      const relativeLength = (sessions[session]?.liveTerms ?? 0) / this.#averageSession
      const before = this.sessionScores[session] ?? 0
      this.sessionScores[session] = before + rarity * saturate(counts[session] ?? 0, relativeLength)
      counts[session] = 0
    }
  }
}

function matchMeaning(
  vectors: VectorTable | undefined,
  query: Float32Array | null,
  counted: Uint8Array,
  length: number,
): Float32Array | undefined {
  if (vectors === undefined || query === null) return undefined
  const { cosine } = columns
  cosine.fill(0, vectors.length, length)
  vectors.scan(query, cosine)
  for (let row = 0; row < length; row++) {
    if (counted[row] === 0 || (cosine[row] ?? 0) < 0) cosine[row] = 0
  }
  return cosine
}

/** The highest value, or 1 where none is above zero, so that it can be divided by. */
function highest(values: Float32Array | Float64Array, length: number): number {
  let top = 0
  for (let i = 0; i < length; i++) {
    const value = values[i] ?? 0
    if (value > top) top = value
  }
  return top === 0 ? 1 : top
}
