// Ranks matched documents and their sessions. Called by search-index.ts.
import { NONE } from './documents.ts'
import { gatherEvidence } from './evidence.ts'
import { columns, FOLLOWING, matchDocuments, PRECEDING, type Match, type Search } from './match.ts'
import { RETRIEVAL_PARTS } from './recipe.ts'
import { PART_COUNT, scoreRows } from './score.ts'
import { DocumentTrait, type SearchHit, type SearchResult, type SessionHit } from './search-types.ts'
import { TopRows } from './top-rows.ts'

const NEIGHBOURS = RETRIEVAL_PARTS.indexOf('neighbours')
/** By how much a turn stays below the turn that lends to it. */
const BELOW_LENDER = 1e-6

/** Ranks documents and their sessions, and says how well they match. Documents of equal score keep the order of their rows. */
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

interface Best {
  /** Best first. */
  readonly rows: number[]
  /** By session, the score of its best document; −Infinity where none is found. */
  readonly bestOfSessions: Float64Array
}

/** Asks the filter only about documents that would change the result: a filter takes longer than a score. */
function selectBest({ documents, inReach, options }: Match, scores: Float64Array): Best {
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

function rankSessions({ documents, options }: Match, best: Float64Array): SessionHit[] {
  const top = new TopRows(best, options.limit)
  for (let number = 0; number < best.length; number++)
    if ((best[number] as number) > top.worst) top.add(number)
  return top.best().map((number) => {
    const { session = '', scope = NONE } = documents.sessions[number] ?? {}
    return { session, scope, score: best[number] ?? 0 }
  })
}

/** Hits with the parts of their scores, in order. */
function describeHits(match: Match, rows: readonly number[]): SearchHit[] {
  const sums = new Float64Array(rows.length)
  const scores = new Float64Array(rows.length)
  const parts = new Float64Array(rows.length * PART_COUNT)
  scoreRows(match, rows, { sums, scores, parts })
  const places = capBorrowed(match, rows, scores, parts)
  places.sort((a, b) => (scores[b] as number) - (scores[a] as number))
  return places.map(
    (i) => new Hit(match.documents.idOf(rows[i] ?? NONE), scores[i] ?? 0, { parts, place: i }),
  )
}

/** A hit that names the parts of its score when they are read: of most hits they never are. */
class Hit implements SearchHit {
  readonly id: string
  readonly score: number
  readonly #at: { readonly parts: Float64Array; readonly place: number }

  constructor(id: string, score: number, match: { readonly parts: Float64Array; readonly place: number }) {
    this.id = id
    this.score = score
    this.#at = match
  }

  get parts(): Readonly<Record<string, number>> {
    const { parts, place: index } = this.#at
    const named: Record<string, number> = {}
    for (let part = 0; part < PART_COUNT; part++) {
      const value = parts[index * PART_COUNT + part] as number
      if (value !== 0) named[RETRIEVAL_PARTS[part] as string] = value
    }
    return named
  }
}

/**
 * Lowers turns that words and meaning of their neighbours carry past the neighbour that lends most: the turn around which others are
 * found comes before them. Questions are no such lenders, since what follows is their answer.
 *
 * @returns places of the rows, those that match best by themselves first
 */
function capBorrowed(
  match: Match,
  rows: readonly number[],
  scores: Float64Array,
  parts: Float64Array,
): number[] {
  const own = rows.map((row) => ownMatch(match, row))
  // Lenders match better by themselves, so their scores are final before those of their borrowers.
  const places = rows.map((_, i) => i).sort((a, b) => (own[b] ?? 0) - (own[a] ?? 0))
  if (match.recipe.weights.neighbours === 0) return places
  for (const index of places) {
    const borrowed = parts[index * PART_COUNT + NEIGHBOURS] as number
    if (borrowed <= 0) continue
    const lender = findLender(match, rows[index] ?? NONE, own[index] ?? 0)
    if (lender === NONE) continue
    const found = rows.indexOf(lender)
    const most = (found === -1 ? columns.scores[lender] : scores[found]) ?? 0
    const less = Math.min(borrowed, (scores[index] as number) - most + BELOW_LENDER)
    if (less <= 0) continue
    parts[index * PART_COUNT + NEIGHBOURS] = borrowed - less
    scores[index] = (scores[index] as number) - less
  }
  return places
}

/** The neighbour that lends most; `NONE` when it matches no better by itself, or is a question that the row answers. */
function findLender(match: Match, row: number, own: number): number {
  const { previous, next, traits } = match.documents
  const before = findMostLent(match, row, previous, FOLLOWING)
  const after = findMostLent(match, row, next, PRECEDING)
  const isBefore = after.lent <= before.lent
  const { lender } = isBefore ? before : after
  if (lender === NONE || ownMatch(match, lender) <= own) return NONE
  const isAnswered = isBefore && ((traits[lender] ?? 0) & DocumentTrait.asks) !== 0
  return isAnswered ? NONE : lender
}

function findMostLent(
  match: Match,
  row: number,
  links: Int32Array,
  shares: readonly number[],
): { readonly lender: number; readonly lent: number } {
  let lender = NONE
  let lent = 0
  let slot = row
  for (const share of shares) {
    slot = links[slot] ?? NONE
    if (slot === NONE) break
    const lends = share * ownMatch(match, slot)
    if (lends <= lent) continue
    lent = lends
    lender = slot
  }
  return { lender, lent }
}

/** What a turn's own words and meaning give. */
function ownMatch({ recipe, own, topWords, cosine, topCosine }: Match, row: number): number {
  const { lexical, semantic } = recipe.weights
  return (lexical * (own[row] ?? 0)) / topWords + (semantic * (cosine[row] ?? 0)) / topCosine
}
