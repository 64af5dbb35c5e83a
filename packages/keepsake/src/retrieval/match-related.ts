import type { AskedWord, RelatedTerm } from '@keepsake/text'
import { countDocuments, countHolding } from './count-documents.ts'
import type { RankingInput } from './match-words.ts'
import { countIn, type PostingList, type Postings } from './postings.ts'
import { inverseDocumentFrequency, type Saturations } from './score-bm25.ts'

/** A word in more than this share of all documents tells too little to stand for another. */
const COMMON_SHARE = 1 / 25
const COMMON_DOCUMENTS = 2_000

export interface RelatedRows {
  /** In the order in which they were found. */
  readonly rows: readonly number[]
  /** What each gains. */
  readonly values: Float64Array
  /** 1 for each of them. */
  readonly holds: Uint8Array
  /** How sure it is, at best, that what is said there means the same. */
  readonly surest: number
}

const NO_LISTS: readonly PostingList[] = []
const NONE_FOUND = { rows: [], values: new Float64Array(0), holds: new Uint8Array(0) } as const

/** The most that each row gains so far: zeros between searches. */
let gains = new Float64Array(0)

/**
 * The documents that say a word in other terms, and BM25 of the best of these: at most as much as the word itself
 * would count for, times how sure it is that the same is meant. Documents with the word itself are left out, and of
 * a term that the question holds too nothing is counted twice.
 *
 * @param counted 1 for rows that count
 * @param saturations of the documents' average length
 */
export function findRelatedRows(
  { terms, related }: AskedWord,
  { postings, table, question, whole }: RankingInput,
  counted: Uint8Array,
  saturations: Saturations,
): RelatedRows {
  const asked = question.read.terms
  const itself = terms.map((term) => postings.list(term))
  const counts = countDocuments(table, whole)
  const holding = (term: string): number => countHolding(counts, term, postings.list(term))
  const rarityOf = (some: readonly string[]) =>
    some.reduce((sum, term) => sum + inverseDocumentFrequency(counts.documents, holding(term)), 0)
  const most = rarityOf(terms)
  const common = Math.max(COMMON_DOCUMENTS, COMMON_SHARE * counts.documents)
  const found: number[] = []
  if (gains.length < table.length) gains = new Float64Array(Math.ceil(table.length * 1.25))
  let surest = 0
  for (const other of related) {
    const lists = listsOf(other, postings)
    const [rarest, ...rest] = lists
    if (rarest === undefined) continue
    const least = whole === undefined ? rarest.size : Math.min(...other.terms.map(holding))
    if (least > common) continue
    const telling = other.terms.filter((term) => !asked.includes(term))
    const rarity = other.weight * Math.min(most, rarityOf(telling))
    const { entries, size } = rarest
    for (let i = 0; i < size; i++) {
      const entry = entries[i] as number
      const row = entry >>> 8
      if (counted[row] !== 1 || (rest.length > 0 && !rest.every((list) => countIn(list, row) > 0))) continue
      if (other.weight > surest) surest = other.weight
      const value = rarity * saturations.of(entry & 255, table.lengths[row] as number)
      const known = gains[row] as number
      if (value <= known) continue
      if (known === 0) found.push(row)
      gains[row] = value
    }
  }
  if (found.length === 0) return { ...NONE_FOUND, surest }
  const rows = found.filter((row) => !itself.every((list) => list !== undefined && countIn(list, row) > 0))
  const values = new Float64Array(rows.length)
  for (const [place, row] of rows.entries()) values[place] = gains[row] as number
  const holds = new Uint8Array(table.length)
  for (const row of rows) holds[row] = 1
  for (const row of found) gains[row] = 0
  return { rows, values, holds, surest }
}

/** The lists of all its terms, shortest first; none where one of them was never said. */
function listsOf({ terms }: RelatedTerm, postings: Postings): readonly PostingList[] {
  const lists: PostingList[] = []
  for (const term of terms) {
    const list = postings.list(term)
    if (list === undefined || list.size === 0) return NO_LISTS
    lists.push(list)
  }
  return lists.sort((one, other) => one.size - other.size)
}
