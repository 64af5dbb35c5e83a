import { NONE, type DocumentTable } from './document-table.ts'
import { matchDocuments, scoreColumns, type Matches, type RankingInput } from './match-documents.ts'
import type { RetrievalPart } from './retrieval-recipe.ts'
import { capBorrowed } from './cap-borrowed.ts'
import { scoreOf } from './score.ts'
import { activeParts, type ActivePart } from './score-parts.ts'
import type { SearchHit, SearchOptions, SearchResult, SessionHit } from './search-types.ts'
import { selectTop } from './select-top.ts'
import { findLikely, weighEvidence } from './weigh-evidence.ts'

/** Of one row and part at a time. */
const ONE_SUM = new Float64Array(1)

/** Ranks the documents in reach by the recipe, and their sessions, and says what they have of what was asked. */
export function rankDocuments(input: RankingInput): SearchResult {
  const { length } = input.table
  const matches = matchDocuments(input)
  const parts = activeParts(matches)
  const others = parts.filter(({ name }) => name !== 'speaker')
  const { sums, scores } = scoreColumns(length)
  for (const { add, weight } of others) add(matches, weight, { from: 0, sums })
  const weighed = weighEvidence(matches, sums)
  for (const { name, add, weight } of parts) if (name === 'speaker') add(matches, weight, { from: 0, sums })
  const bestOfSessions = keepCandidates(matches, sums, scores)
  const rows = selectTop(scores, length, input.options.limit)
  const hits = capBorrowed(
    matches,
    sums,
    rows.map((row) => ({ row, hit: describeHit(matches, parts, row) })),
  )
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

function describeHit(matches: Matches, active: readonly ActivePart[], row: number): SearchHit {
  const parts: Partial<Record<RetrievalPart, number>> = {}
  const rows = { from: row, sums: ONE_SUM }
  for (const { name, weight, add } of active) {
    ONE_SUM[0] = 0
    add(matches, weight, rows)
    if (ONE_SUM[0] !== 0) parts[name] = ONE_SUM[0]
  }
  return { id: matches.table.idOf(row), ...scoreOf(parts) }
}
