// Ranks matched documents and their sessions. Called by search-index.ts.
import { columns } from './columns.ts'
import { NONE } from './documents.ts'
import { gatherEvidence } from './evidence.ts'
import { matchDocuments } from './match.ts'
import type { Match, Search } from './match-types.ts'
import { capBorrowed, ownScore } from './neighbours.ts'
import { PART, PART_COUNT, type RetrievalPart } from './recipe.ts'
import { scoreRows } from './score.ts'
import type { SearchHit, SearchResult, SessionHit } from './search-types.ts'
import { TopRows } from './top-rows.ts'

/** Ranks documents and their sessions, and measures how well they match. Documents of equal score keep the order of their rows. */
export function rankDocuments(search: Search): SearchResult {
  const match = matchDocuments(search)
  const { sums, scores } = columns
  scoreRows(match, null, { sums, scores })
  const { rows, bestOfSessions } = selectBest(match, scores)
  const hits = describeHits(match, rows, scores)
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

/**
 * Selects the best documents, and the best of each session. `accepts` is slow, so it is called only for a document that scores higher than
 * the worst hit so far, or than the others of its session.
 */
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
    const isHit = score > worst
    if (!isBestOfSession && !isHit) continue
    if (kind !== undefined && (isTurn[row] === 1) !== (kind === 'turn')) continue
    if (accepts !== undefined && !accepts(documents.idOf(row))) continue
    if (isBestOfSession) bestOfSessions[session] = score
    if (!isHit) continue
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
function describeHits(match: Match, rows: readonly number[], allScores: Float64Array): SearchHit[] {
  const sums = new Float64Array(rows.length)
  const scores = new Float64Array(rows.length)
  const parts = new Float64Array(rows.length * PART_COUNT)
  scoreRows(match, rows, { sums, scores, parts })
  if (match.recipe.weights.neighbours !== 0) capBorrowed(match, rows, { scores, parts }, allScores)
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

/**
 * A hit that creates the record of its parts only when it is read, since most are never read. `place` is its place in the rows that
 * `scoreRows` scored, to which `parts` belongs.
 */
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

  // The names are written out, since a loop over them takes five times as long.
  get parts(): Readonly<Record<RetrievalPart, number>> {
    const parts = this.#parts
    const first = this.#place * PART_COUNT
    return {
      lexical: parts[first + PART.lexical] as number,
      semantic: parts[first + PART.semantic] as number,
      neighbours: parts[first + PART.neighbours] as number,
      coverage: parts[first + PART.coverage] as number,
      session: parts[first + PART.session] as number,
      speaker: parts[first + PART.speaker] as number,
      time: parts[first + PART.time] as number,
      expected: parts[first + PART.expected] as number,
      exchange: parts[first + PART.exchange] as number,
      length: parts[first + PART.length] as number,
      novelty: parts[first + PART.novelty] as number,
      asking: parts[first + PART.asking] as number,
      recency: parts[first + PART.recency] as number,
    }
  }
}
