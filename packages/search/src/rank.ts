// Ranks matched documents and their sessions. Called by search-index.ts.
import { NONE } from './documents.ts'
import { gatherEvidence } from './evidence.ts'
import { columns, FOLLOWING, matchDocuments, PRECEDING, type Match, type Search } from './match.ts'
import { RETRIEVAL_PARTS, type RetrievalPart } from './recipe.ts'
import { PART_COUNT, scoreRows } from './score.ts'
import { DocumentTrait, type SearchHit, type SearchResult, type SessionHit } from './search-types.ts'
import { TopRows } from './top-rows.ts'

const NEIGHBOURS = RETRIEVAL_PARTS.indexOf('neighbours')
/** Distance of scores between a neighbour and the turn that borrows from it. Any small number gives the right order. */
const BELOW_LENDER = 1e-6

/** Ranks documents and their sessions, and measures how well they match. Documents of equal score keep the order of their rows. */
export function rankDocuments(search: Search): SearchResult {
  const match = matchDocuments(search)
  const { sums, scores } = columns
  scoreRows(match, null, { sums, scores })
  const { rows, bestOfSessions } = selectBest(match, scores)
  const hits = describeHits(match, rows)
  return {
    hits,
    sessions: rankSessions(match, bestOfSessions),
    evidence: gatherEvidence(match, sums, rows),
  }
}

interface Selection {
  /** The best rows, best first. */
  readonly rows: number[]
  /** By session, the score of its best document, or −Infinity if it has none. */
  readonly bestOfSessions: Float64Array
}

/** Selects the best documents. `accepts` is slow, so it is called only for documents with a high enough score. */
function selectBest({ documents, inReach, options }: Match, scores: Float64Array): Selection {
  const { length, sessionOf, isTurn } = documents
  const { kind, accepts } = options
  const top = new TopRows(scores, options.limit)
  const bestOfSessions = new Float64Array(documents.sessions.length).fill(Number.NEGATIVE_INFINITY)
  let { worst } = top
  for (let row = 0; row < length; row++) {
    if (inReach[row] === 0) continue
    const score = scores[row] as number
    const session = sessionOf[row] as number
    const isBestOfSession = score > (bestOfSessions[session] as number)
    if (!isBestOfSession && score <= worst) continue
    if (kind !== undefined && (isTurn[row] === 1) !== (kind === 'turn')) continue
    if (accepts !== undefined && !accepts(documents.idOf(row))) continue
    if (isBestOfSession) bestOfSessions[session] = score
    if (score <= worst) continue
    top.add(row)
    worst = top.worst
  }
  return { rows: top.best(), bestOfSessions }
}

/** Ranks sessions by their best document. */
function rankSessions({ documents, options }: Match, best: Float64Array): SessionHit[] {
  const top = new TopRows(best, options.limit)
  for (let number = 0; number < best.length; number++)
    if ((best[number] as number) > top.worst) top.add(number)
  return top.best().map((number) => {
    const { session = '', scope = NONE } = documents.sessions[number] ?? {}
    return { session, scope, score: best[number] ?? 0 }
  })
}

/** Returns the hits with the parts of their scores, in order. */
function describeHits(match: Match, rows: readonly number[]): SearchHit[] {
  const sums = new Float64Array(rows.length)
  const scores = new Float64Array(rows.length)
  const parts = new Float64Array(rows.length * PART_COUNT)
  scoreRows(match, rows, { sums, scores, parts })
  if (match.recipe.weights.neighbours !== 0) capBorrowed(match, rows, scores, parts)
  // Turns that borrow from the same neighbour get equal scores. Then their own words and meaning decide.
  const ownScoreOf = (place: number): number => ownScore(match, rows[place] as number)
  return rows
    .map((_, place) => place)
    .sort(
      (a, b) => compareDescending(scores[a], scores[b]) || compareDescending(ownScoreOf(a), ownScoreOf(b)),
    )
    .map(
      (place) => new Hit(match.documents.idOf(rows[place] as number), scores[place] as number, parts, place),
    )
}

/** Orders the higher number first. A subtraction would allocate a number for each comparison. */
function compareDescending(one = 0, other = 0): number {
  if (one === other) return 0
  return one > other ? -1 : 1
}

/** A hit that creates the record of its parts only when it is read, since most are never read. */
class Hit implements SearchHit {
  readonly id: string
  readonly score: number
  readonly #parts: Float64Array
  readonly #place: number

  constructor(id: string, score: number, parts: Float64Array, place: number) {
    this.id = id
    this.score = score
    this.#parts = parts
    this.#place = place
  }

  // The names are written out, since a loop over them takes five times as long. Their order is that of `RETRIEVAL_PARTS`.
  get parts(): Readonly<Record<RetrievalPart, number>> {
    const parts = this.#parts
    const at = this.#place * PART_COUNT
    return {
      lexical: parts[at] as number,
      semantic: parts[at + 1] as number,
      neighbours: parts[at + 2] as number,
      coverage: parts[at + 3] as number,
      session: parts[at + 4] as number,
      speaker: parts[at + 5] as number,
      time: parts[at + 6] as number,
      expected: parts[at + 7] as number,
      exchange: parts[at + 8] as number,
      length: parts[at + 9] as number,
      novelty: parts[at + 10] as number,
      asking: parts[at + 11] as number,
      recency: parts[at + 12] as number,
    }
  }
}

/**
 * Limits what a turn borrows. The part `neighbours` lends a turn the words and meaning of the turns around it. If the neighbour that lends
 * most matches better by itself, the borrower is lowered below it, so that the turn which matches comes first. A question is no lender,
 * since its answer should come first.
 */
function capBorrowed(match: Match, rows: readonly number[], scores: Float64Array, parts: Float64Array): void {
  const isCapped = new Uint8Array(rows.length)
  const cap = (place: number): void => {
    if (isCapped[place] === 1) return
    isCapped[place] = 1
    const index = place * PART_COUNT + NEIGHBOURS
    const borrowed = parts[index] as number
    const lender = borrowed <= 0 ? NONE : findLender(match, rows[place] as number)
    if (lender === NONE) return
    const lenderPlace = rows.indexOf(lender)
    // The recursion ends, since a lender matches better by itself than its borrower.
    if (lenderPlace !== -1) cap(lenderPlace)
    const maxScore = (lenderPlace === -1 ? columns.scores[lender] : scores[lenderPlace]) as number
    const reduction = Math.min(borrowed, (scores[place] as number) - maxScore + BELOW_LENDER)
    if (reduction <= 0) return
    parts[index] = borrowed - reduction
    scores[place] = (scores[place] as number) - reduction
  }
  for (let place = 0; place < rows.length; place++) cap(place)
}

/** Returns the neighbour that lends most, or `NONE` if it matches no better by itself or is a question that the row answers. */
function findLender(match: Match, row: number): number {
  const { previous, next, traits } = match.documents
  let lender = NONE
  let maxLent = 0
  let isBefore = true
  for (const links of [previous, next]) {
    let slot = row
    for (const share of links === previous ? FOLLOWING : PRECEDING) {
      slot = links[slot] ?? NONE
      if (slot === NONE) break
      const lent = share * ownScore(match, slot)
      if (lent <= maxLent) continue
      maxLent = lent
      lender = slot
      isBefore = links === previous
    }
  }
  if (lender === NONE || ownScore(match, lender) <= ownScore(match, row)) return NONE
  const isAnswered = isBefore && ((traits[lender] ?? 0) & DocumentTrait.asks) !== 0
  return isAnswered ? NONE : lender
}

/** Scores a turn by its own words and meaning. */
function ownScore({ recipe, wordScores, topWords, cosine, topCosine }: Match, row: number): number {
  const { lexical, semantic } = recipe.weights
  return (lexical * (wordScores[row] ?? 0)) / topWords + (semantic * (cosine[row] ?? 0)) / topCosine
}
