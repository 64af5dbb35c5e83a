import { NONE, type DocumentTable } from './document-table.ts'
import { matchDocuments, scoreColumns, type Matches } from './match-documents.ts'
import type { RankingInput } from './match-words.ts'
import { capBorrowed } from './cap-borrowed.ts'
import { RowParts } from './row-parts.ts'
import { activeParts, type ActivePart } from './score-parts.ts'
import { addRows } from './score-rows.ts'
import type { SearchHit, SearchOptions, SearchResult, SessionHit } from './search-types.ts'
import { selectTop, TopRows } from './select-top.ts'
import { findLikely, weighEvidence } from './weigh-evidence.ts'

/** Ranks the documents in reach by the recipe, and their sessions, and says what they have of what was asked. */
export function rankDocuments(input: RankingInput): SearchResult {
  const { matches, parts, sums, scores } = scoreRows(input)
  const weighed = weighEvidence(matches, sums)
  addSpeaker(matches, parts, sums)
  const top = new TopRows(scores, input.options.limit)
  const bestOfSessions = new Float32Array(input.table.sessions.length).fill(Number.NEGATIVE_INFINITY)
  takeBest(matches, { sums, scores, best: bestOfSessions }, top)
  const rows = top.best()
  const hits = capBorrowed(matches, sums, new RowParts(matches, parts, rows))
  const evidence = { ...weighed, likely: findLikely(matches, rows) }
  return { hits, sessions: rankSessions(matches, bestOfSessions), evidence }
}

/** The hits alone: what they have of what was asked takes another pass over all documents. */
export function findHits(input: RankingInput): readonly SearchHit[] {
  const { matches, parts, sums, scores } = scoreRows(input)
  addSpeaker(matches, parts, sums)
  return capBorrowed(matches, sums, new RowParts(matches, parts, bestWanted(matches, { sums, scores })))
}

/** Whoever judges documents is asked of the best so many times as many as are wanted: nearly always enough of these pass. */
const ASKED_OF = 4

type Columns = Pick<ScoredRows, 'sums' | 'scores'>

/** The rows of the best that are wanted. A judgement takes longer than a score: it is asked of all only where too few of the best pass. */
function bestWanted(matches: Matches, columns: Columns): number[] {
  const { table, options } = matches
  const { accepts, limit } = options
  const isWanted = (row: number): boolean => accepts === undefined || accepts(table.idOf(row))
  const most = accepts === undefined ? limit : limit * ASKED_OF
  const best = bestRows(matches, columns, most)
  const wanted = best.filter(isWanted)
  const isEnough = wanted.length >= limit || best.length < most
  return isEnough ? wanted.slice(0, limit) : bestRows(matches, columns, limit, isWanted)
}

function bestRows(
  { table, options, counted }: Matches,
  { sums, scores }: Columns,
  most: number,
  isWanted?: (row: number) => boolean,
): number[] {
  const top = new TopRows(scores, most)
  for (let row = 0; row < sums.length; row++) {
    const score = Math.fround(sums[row] ?? 0)
    if (score <= top.worst || counted[row] !== 1 || !isOfKind(table, options, row)) continue
    if (isWanted?.(row) === false) continue
    scores[row] = score
    top.add(row)
  }
  return top.best()
}

interface ScoredRows {
  readonly matches: Matches
  readonly parts: readonly ActivePart[]
  /** Of all parts but the speaker's. */
  readonly sums: Float64Array
  /** To be written. */
  readonly scores: Float32Array
}

function scoreRows(input: RankingInput): ScoredRows {
  const matches = matchDocuments(input)
  const parts = activeParts(matches)
  const columns = scoreColumns(input.table.length)
  addRows(matches, parts, columns.sums)
  return { matches, parts, ...columns }
}

function addSpeaker(matches: Matches, parts: readonly ActivePart[], sums: Float64Array): void {
  for (const { name, add, weight } of parts) if (name === 'speaker') add(matches, weight, { at: null, sums })
}

/**
 * Takes the best rows, and each session's score: its best turn's. Whoever judges documents is asked of those alone that may come among
 * these, since a judgement takes longer than a score.
 */
function takeBest(
  { table, options, counted }: Matches,
  { sums, scores, best }: Pick<ScoredRows, 'sums' | 'scores'> & { readonly best: Float32Array },
  top: TopRows,
): void {
  const { sessionOf } = table
  const narrows = options.kind !== undefined || options.accepts !== undefined
  let { worst } = top
  for (let row = 0; row < sums.length; row++) {
    if (counted[row] !== 1) continue
    const score = sums[row] as number
    const session = sessionOf[row] as number
    const rounded = Math.fround(score)
    scores[row] = rounded
    const isBestOfSession = score > (best[session] as number)
    if (!isBestOfSession && rounded <= worst) continue
    if (narrows && !isWanted(table, options, row)) continue
    if (isBestOfSession) best[session] = score
    if (rounded <= worst) continue
    top.add(row)
    worst = top.worst
  }
}

function isWanted(table: DocumentTable, options: SearchOptions, row: number): boolean {
  return isOfKind(table, options, row) && (options.accepts === undefined || options.accepts(table.idOf(row)))
}

function isOfKind({ isTurn }: DocumentTable, { kind }: SearchOptions, row: number): boolean {
  return kind === undefined || (isTurn[row] === 1) === (kind === 'turn')
}

function rankSessions({ table, options }: Matches, best: Float32Array): SessionHit[] {
  return selectTop(best, best.length, options.limit).map((index) => {
    const { session = '', scope = NONE } = table.sessions[index] ?? {}
    return { session, scope, score: best[index] ?? 0 }
  })
}
