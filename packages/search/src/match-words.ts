// Matches the terms of a query with the documents that hold them. Called by match.ts.
import { inverseDocumentFrequency, saturate } from './bm25.ts'
import { columns } from './columns.ts'
import { NONE } from './documents.ts'
import type { MatchedTerm, RelatedRows, Search } from './match-types.ts'
import { BACKWARD_SHARES, FORWARD_SHARES } from './neighbours.ts'
import { COUNT_MASK, countIn, ROW_SHIFT, type Posting, type Postings } from './postings.ts'
import type { RelatedWord } from './search-types.ts'

/**
 * A word is common if it is in more documents than this number, and in a larger share of them than this. Neighbours gain nothing from it,
 * which saves most time.
 */
const COMMON = { documents: 2_000, share: 1 / 25 } as const
/**
 * Number of documents without the query's words that are assumed in addition when rarity is computed for the part `coverage`. A few turns do
 * not show which words are rare. Without these documents, a word that no turn holds would outweigh one that a turn holds.
 */
const UNHEARD_DOCUMENTS = 500
/** Weight of a term that may be a misspelling of the one that is found. */
const MISSPELT = 0.7
/** With a single session the part `session` would be the same for all documents. */
const MIN_SESSIONS = 2

/** Adds up BM25 by turn, by window and by session, one term at a time. */
export class WordMatcher {
  readonly sessionScores: Float64Array
  readonly terms: MatchedTerm[] = []
  rarity = 0
  /** The highest BM25 of a document, with its neighbours if the recipe counts them. */
  topWords = 0
  readonly #search: Search
  readonly #inReach: Uint8Array
  readonly #count: number
  readonly #averageLength: number
  readonly #countsNeighbours: boolean

  constructor(search: Search, inReach: Uint8Array) {
    const { documents, recipe } = search
    this.#search = search
    this.#inReach = inReach
    this.#count = documents.count
    this.#averageLength = documents.termCount / Math.max(1, documents.count) || 1
    this.#countsNeighbours = recipe.weights.neighbours !== 0
    this.sessionScores = new Float64Array(documents.sessions.length)
  }

  /** Adds the scores of one term of the query, or of the term of which it may be a misspelling. */
  matchTerm(term: string): void {
    const { postings, recipe, documents } = this.#search
    const exact = postings.get(term)
    const posting = exact ?? postings.findAlike(term)
    const documentCount = posting?.entries.length ?? 0
    // Coverage uses this rarity, and BM25 the weight below.
    const rarity = inverseDocumentFrequency(this.#count + UNHEARD_DOCUMENTS, documentCount)
    this.rarity += rarity
    this.terms.push({ term, posting, rarity, related: [] })
    if (posting === undefined) return
    const share = exact === undefined ? MISSPELT : 1
    if (posting.first !== NONE)
      columns.firstsInQuery[posting.first] = (columns.firstsInQuery[posting.first] as number) + 1
    const isForNeighbours = this.#countsNeighbours && documentCount <= this.#maxDocuments()
    const weight = share * inverseDocumentFrequency(this.#count, documentCount)
    this.#addWord(posting, weight, share * rarity, isForNeighbours)
    if (recipe.weights.session !== 0 && documents.sessionCount >= MIN_SESSIONS) this.#addToSessions(posting)
  }

  /** Adds BM25 of a term to the documents that hold it. */
  #addWord({ entries }: Posting, weight: number, rarity: number, isForNeighbours: boolean): void {
    const { lengths } = this.#search.documents
    const inReach = this.#inReach
    const averageLength = this.#averageLength
    const { gains, gainingRows } = columns
    let count = 0
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as number
      const row = entry >>> ROW_SHIFT
      if (inReach[row] === 0) continue
      gains[row] = weight * saturate(entry & COUNT_MASK, (lengths[row] as number) / averageLength)
      gainingRows[count++] = row
    }
    this.#addGains(gainingRows.subarray(0, count), rarity, isForNeighbours)
  }

  /**
   * Adds the gains by a word to the documents and, if `isForNeighbours`, shares of them to the turns around. In a window of turns a word
   * counts once, with its largest gain.
   */
  #addGains(rows: Int32Array, rarity: number, isForNeighbours: boolean): void {
    const { isTurn, next, previous } = this.#search.documents
    const inReach = this.#inReach
    const { wordScores, windowScores, heldRarity, maxGains, gains, raisedRows } = columns
    let count = 0
    const raise = (row: number, gain: number): void => {
      const previousGain = maxGains[row] as number
      if (gain <= previousGain || inReach[row] === 0) return
      if (previousGain === 0) {
        raisedRows[count++] = row
        heldRarity[row] = (heldRarity[row] as number) + rarity
      }
      maxGains[row] = gain
      windowScores[row] = (windowScores[row] as number) + gain - previousGain
    }
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number
      const gain = gains[row] as number
      gains[row] = 0
      wordScores[row] = (wordScores[row] as number) + gain
      raise(row, gain)
      if (!isForNeighbours || isTurn[row] === 0) continue
      let at = next[row] as number
      for (let step = 0; step < FORWARD_SHARES.length && at !== NONE; step++, at = next[at] as number)
        raise(at, gain * (FORWARD_SHARES[step] as number))
      at = previous[row] as number
      for (let step = 0; step < BACKWARD_SHARES.length && at !== NONE; step++, at = previous[at] as number)
        raise(at, gain * (BACKWARD_SHARES[step] as number))
    }
    let { topWords } = this
    for (let i = 0; i < count; i++) {
      const row = raisedRows[i] as number
      maxGains[row] = 0
      topWords = Math.max(topWords, windowScores[row] as number)
    }
    this.topWords = topWords
  }

  /** Adds BM25 of a term to the sessions, each as one long document. */
  #addToSessions({ entries }: Posting): void {
    const { documents } = this.#search
    const { sessions, sessionOf, isTurn } = documents
    const counts = new Int32Array(sessions.length)
    const found: number[] = []
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as number
      const row = entry >>> ROW_SHIFT
      if (this.#inReach[row] === 0 || isTurn[row] === 0) continue
      const session = sessionOf[row] as number
      const count = counts[session] as number
      if (count === 0) found.push(session)
      counts[session] = count + (entry & COUNT_MASK)
    }
    const rarity = inverseDocumentFrequency(documents.sessionCount, found.length)
    const averageLength = documents.turnTermCount / Math.max(1, documents.sessionCount) || 1
    for (const session of found) {
      const relativeLength = (sessions[session]?.terms ?? 0) / averageLength
      const gain = rarity * saturate(counts[session] as number, relativeLength)
      this.sessionScores[session] = (this.sessionScores[session] as number) + gain
    }
  }

  /**
   * Adds the scores of documents that say a word in other terms, and of their neighbours. It adds no held rarity, since the terms may not
   * mean the same.
   */
  matchRelated(word: RelatedWord): void {
    const related = this.#findRelated(word)
    for (const term of this.terms) if (word.terms.includes(term.term)) term.related.push(related)
    this.#addGains(related.rows, 0, this.#countsNeighbours)
  }

  /**
   * Finds the documents that say a word in other terms, and the BM25 of their best term. This is at most the score of the word itself,
   * times the probability that the term means the same. Documents with the word itself are left out. Terms of the query count once.
   */
  #findRelated({ terms, related }: RelatedWord): RelatedRows {
    const { documents, postings, query } = this.#search
    const { lengths } = documents
    const inReach = this.#inReach
    const averageLength = this.#averageLength
    const maxRarity = this.#rarityOf(terms)
    const maxDocuments = this.#maxDocuments()
    const { gains, gainingRows } = columns
    let count = 0
    let maxProbability = 0
    for (const relatedTerm of related) {
      // A related term may be several terms. A document must hold all of them, and the rarest has the fewest documents to test.
      const found = postingsOf(postings, relatedTerm.terms)
      const rarest = found[0]
      if (rarest === undefined || rarest.entries.length > maxDocuments) continue
      let rarity = 0
      for (const { term, entries } of found)
        if (!query.terms.includes(term)) rarity += inverseDocumentFrequency(this.#count, entries.length)
      const weight = relatedTerm.weight * Math.min(maxRarity, rarity)
      let isFound = false
      for (let i = 0; i < rarest.entries.length; i++) {
        const entry = rarest.entries[i] as number
        const row = entry >>> ROW_SHIFT
        if (inReach[row] === 0 || (found.length > 1 && !holdsAll(found, row))) continue
        isFound = true
        const gain = weight * saturate(entry & COUNT_MASK, (lengths[row] as number) / averageLength)
        const previousGain = gains[row] as number
        if (gain <= previousGain) continue
        if (previousGain === 0) gainingRows[count++] = row
        gains[row] = gain
      }
      if (isFound) maxProbability = Math.max(maxProbability, relatedTerm.weight)
    }
    // Removes the documents that hold the word itself, which `matchTerm` has scored.
    const [rarestOfWord, ...others] = postingsOf(postings, terms)
    for (const entry of rarestOfWord?.entries ?? []) {
      const row = entry >>> ROW_SHIFT
      if (gains[row] !== 0 && holdsAll(others, row)) gains[row] = 0
    }
    const rows = gainingRows.slice(0, count).filter((row) => gains[row] !== 0)
    return { rows, maxProbability }
  }

  /** Returns the maximum number of documents with a word that is not common. */
  #maxDocuments(): number {
    return Math.max(COMMON.documents, COMMON.share * this.#count)
  }

  /** Returns the summed rarity of terms. */
  #rarityOf(terms: readonly string[]): number {
    let sum = 0
    for (const term of terms)
      sum += inverseDocumentFrequency(this.#count, this.#search.postings.get(term)?.entries.length ?? 0)
    return sum
  }
}

const NO_POSTINGS: readonly Posting[] = []

/** Reports whether a document holds the terms of all postings. */
function holdsAll(postings: readonly Posting[], row: number): boolean {
  return postings.every((posting) => countIn(posting, row) > 0)
}

/** Returns the postings of all terms, the shortest first, or none if no document holds one of the terms. */
function postingsOf(postings: Postings, terms: readonly string[]): readonly Posting[] {
  let found: Posting[] | undefined
  for (const term of terms) {
    const posting = postings.get(term)
    if (posting === undefined) return NO_POSTINGS
    if (found === undefined) found = [posting]
    else found.push(posting)
  }
  if (found === undefined || found.length === 1) return found ?? NO_POSTINGS
  return found.sort((a, b) => a.entries.length - b.entries.length)
}
