import { NONE, type DocumentTable } from './document-table.ts'
import { matchDocuments, scoreColumns, type Matches, type RankingInput } from './match-documents.ts'
import { capBorrowed } from './cap-borrowed.ts'
import { RowParts } from './row-parts.ts'
import { activeParts } from './score-parts.ts'
import type { SearchOptions, SearchResult, SessionHit } from './search-types.ts'
import { selectTop } from './select-top.ts'
import { findLikely, weighEvidence } from './weigh-evidence.ts'

/** Ranks the documents in reach by the recipe, and their sessions, and says what they have of what was asked. */
export function rankDocuments(input: RankingInput): SearchResult {
  const { length } = input.table
  const matches = matchDocuments(input)
  const parts = activeParts(matches)
  const others = parts.filter(({ name }) => name !== 'speaker')
  const { sums, scores } = scoreColumns(length)
  for (const { add, weight } of others) add(matches, weight, { at: null, sums })
  const weighed = weighEvidence(matches, sums)
  for (const { name, add, weight } of parts) if (name === 'speaker') add(matches, weight, { at: null, sums })
  const bestOfSessions = keepCandidates(matches, sums, scores)
  const rows = selectTop(scores, length, input.options.limit)
  const hits = capBorrowed(matches, sums, new RowParts(matches, parts, rows))
  const evidence = { ...weighed, likely: findLikely(matches, rows) }
  return { hits, sessions: rankSessions(matches, bestOfSessions), evidence }
}

/** Writes the scores, −Infinity for rows that are no candidates, and returns each session's: its best turn's. */
function keepCandidates(
  { table, options, counted }: Matches,
  sums: Float64Array,
  scores: Float32Array,
): Float32Array {
  const { sessionOf } = table
  const narrows = options.kind !== undefined || options.accepts !== undefined
  const best = new Float32Array(table.sessions.length).fill(Number.NEGATIVE_INFINITY)
  for (let row = 0; row < sums.length; row++) {
    if (counted[row] !== 1 || (narrows && !isWanted(table, options, row))) {
      scores[row] = Number.NEGATIVE_INFINITY
      continue
    }
    const score = sums[row] ?? 0
    const session = sessionOf[row] ?? NONE
    scores[row] = score
    if (score > (best[session] ?? Number.POSITIVE_INFINITY)) best[session] = score
  }
  return best
}

function isWanted(table: DocumentTable, { kind, accepts }: SearchOptions, row: number): boolean {
  if (kind !== undefined && (table.isTurn[row] === 1) !== (kind === 'turn')) return false
  return accepts === undefined || accepts(table.idOf(row))
}

function rankSessions({ table, options }: Matches, best: Float32Array): SessionHit[] {
  return selectTop(best, best.length, options.limit).map((index) => {
    const { session = '', scope = NONE } = table.sessions[index] ?? {}
    return { session, scope, score: best[index] ?? 0 }
  })
}
