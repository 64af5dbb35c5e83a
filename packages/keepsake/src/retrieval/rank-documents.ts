import { NONE, type DocumentTable } from './document-table.ts'
import { matchDocuments, scoreColumn, type Matches, type RankingInput } from './match-documents.ts'
import { measureConfidence } from './measure-confidence.ts'
import type { RetrievalPart } from './retrieval-recipe.ts'
import { activeParts, possibleScore, type WeighedPart } from './score-parts.ts'
import { scoreRows } from './score-rows.ts'
import type { SearchHit, SearchOptions, SearchResult, SessionHit } from './search-types.ts'
import { selectTop } from './select-top.ts'
import { weighEvidence } from './weigh-evidence.ts'

/** Ranks the documents in reach by the recipe, and their sessions, and says how sure it is. */
export function rankDocuments(input: RankingInput): SearchResult {
  const matches = matchDocuments(input)
  const parts = activeParts(matches)
  const candidates = findCandidates(matches)
  const scores = scoreColumn()
  const sessions = rankSessions(matches, scoreRows(matches, candidates, scores))
  const rows = selectTop(scores, input.table.length, input.options.limit)
  const hits = rows.map((row) => describeHit(matches, parts, row))
  const agreement = Math.max(0, hits[0]?.score ?? 0) / possibleScore(parts)
  return { hits, sessions, confidence: measureConfidence(weighEvidence(matches, agreement)) }
}

/** Which rows may be found, beyond those that count. `undefined`: all that count. */
function findCandidates({ table, options, counted }: Matches): ((row: number) => boolean) | undefined {
  const { kind, accepts, from, to } = options
  if (kind === undefined && accepts === undefined && from === undefined && to === undefined) return undefined
  return (row) => counted[row] === 1 && isWanted(table, options, row)
}

function isWanted(table: DocumentTable, { kind, accepts, from, to }: SearchOptions, row: number): boolean {
  const at = table.at[row] ?? 0
  if (kind !== undefined && (table.isTurn[row] === 1) !== (kind === 'turn')) return false
  if (at < (from ?? Number.NEGATIVE_INFINITY) || at >= (to ?? Number.POSITIVE_INFINITY)) return false
  return accepts === undefined || accepts(table.ids[row] ?? '')
}

function rankSessions({ table, options }: Matches, best: Float32Array): SessionHit[] {
  return selectTop(best, best.length, options.limit).map((index) => {
    const { session = '', scope = NONE } = table.sessions[index] ?? {}
    return { session, scope, score: best[index] ?? 0 }
  })
}

function describeHit(matches: Matches, active: readonly WeighedPart[], row: number): SearchHit {
  const parts: Partial<Record<RetrievalPart, number>> = {}
  let score = 0
  for (const { name, weight, measure } of active) {
    const value = weight * measure(matches, row)
    if (value === 0) continue
    parts[name] = value
    score += value
  }
  return { id: matches.table.ids[row] ?? '', score, parts }
}
