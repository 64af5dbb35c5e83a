import type { WholeCounts } from '../stores/candidates.ts'
import type { DocumentTable } from './document-table.ts'
import type { PostingList } from './kept-lists.ts'

/** What tells how rare a word is. */
export type DocumentCounts = Omit<WholeCounts, 'version'>

const NO_TERMS: ReadonlyMap<string, number> = new Map()
const NOBODY: ReadonlyMap<string, string> = new Map()

/** What is counted of the documents that may be found: of those held here, or, where these are a choice, of all they were chosen from. */
export function countDocuments(table: DocumentTable, whole: DocumentCounts | undefined): DocumentCounts {
  return (
    whole ?? {
      documents: table.liveCount,
      terms: table.liveTerms,
      turnTerms: table.liveTurnTerms,
      sessions: table.liveSessions,
      holding: NO_TERMS,
      sessionsHolding: NO_TERMS,
      firstSaid: NOBODY,
    }
  )
}

/** How many documents hold a term. Of a choice it is told; of a term that nobody asked the store for, as many as were chosen. */
export function countHolding(
  { holding }: DocumentCounts,
  term: string,
  list: PostingList | undefined,
): number {
  return Math.max(list?.size ?? 0, holding.get(term) ?? 0)
}
