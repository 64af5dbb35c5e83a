import type { AskedWord } from '../thesaurus/read-words.ts'
import type { RelatedTerm } from '../thesaurus/related-terms.ts'
import type { RankingInput } from './match-words.ts'
import { countIn, type PostingList, type Postings } from './postings.ts'
import { inverseDocumentFrequency, saturate } from './score-bm25.ts'

/** A word in more than this share of all documents tells too little to stand for another. */
const COMMON_SHARE = 1 / 25
const COMMON_DOCUMENTS = 2_000

export interface RelatedRows {
  /** What each row gains. */
  readonly values: ReadonlyMap<number, number>
  /** How sure it is, at best, that what is said there means the same. */
  readonly surest: number
}

/**
 * The documents that say a word in other terms, and BM25 of the best of these: at most as much as the word itself
 * would count for, times how sure it is that the same is meant. Documents with the word itself are left out, and of
 * a term that the question holds too nothing is counted twice.
 *
 * @param counted 1 for rows that count
 * @param averageLength terms a document, on average
 */
export function findRelatedRows(
  { terms, related }: AskedWord,
  { postings, table, question }: RankingInput,
  counted: Uint8Array,
  averageLength: number,
): RelatedRows {
  const asked = new Set(question.read.terms)
  const itself = terms.map((term) => postings.list(term))
  const rarityOf = (lists: readonly (PostingList | undefined)[]) =>
    lists.reduce((sum, list) => sum + inverseDocumentFrequency(table.liveCount, list?.size ?? 0), 0)
  const most = rarityOf(itself)
  const common = Math.max(COMMON_DOCUMENTS, COMMON_SHARE * table.liveCount)
  const values = new Map<number, number>()
  let surest = 0
  for (const other of related) {
    const lists = listsOf(other, postings)
    const [rarest, ...rest] = lists
    if (rarest === undefined || rarest.size > common) continue
    const telling = other.terms.filter((term) => !asked.has(term)).map((term) => postings.list(term))
    const rarity = other.weight * Math.min(most, rarityOf(telling))
    for (let i = 0; i < rarest.size; i++) {
      const entry: number = rarest.entries[i] ?? 0
      const row = entry >>> 8
      if (counted[row] !== 1 || !rest.every((list) => countIn(list, row) > 0)) continue
      surest = Math.max(surest, other.weight)
      const value = rarity * saturate(entry & 255, (table.lengths[row] ?? 0) / averageLength)
      if (value > (values.get(row) ?? 0)) values.set(row, value)
    }
  }
  for (const row of values.keys())
    if (itself.every((list) => list !== undefined && countIn(list, row) > 0)) values.delete(row)
  return { values, surest }
}

/** The lists of all its terms, shortest first; none where one of them was never said. */
function listsOf({ terms }: RelatedTerm, postings: Postings): PostingList[] {
  const lists = terms.map((term) => postings.list(term)).filter((list) => list !== undefined && list.size > 0)
  return lists.length < terms.length
    ? []
    : lists.filter((list) => list !== undefined).sort((one, other) => one.size - other.size)
}
