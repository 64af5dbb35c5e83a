import { LRUCache } from 'lru-cache'
import { readPackagedData } from '../terms/read-packaged-data.ts'
import { decodeWordTable, type WordTable } from './word-table.ts'

export const CHINESE_WORD_TABLE_FILE = 'word-vectors-zh.bin'
/** Maximum characters of a word in the table. */
const LONGEST_WORD = 4
/** −ln of the probability of a character outside the table, rarer than any inside. */
const UNKNOWN_COST = 22

let loaded: WordTable | undefined
/** Returns the packaged Chinese word table, read on first use and cached. */
export function embeddedChineseTable(): WordTable {
  return (loaded ??= decodeWordTable(readPackagedData(CHINESE_WORD_TABLE_FILE)))
}

/** Caches segmented runs, since a turn is segmented for its vector, for corrections, and by clause. */
const segmentedRuns = new LRUCache<string, readonly string[]>({ max: 2_000 })
/** Maximum characters of a cached run. Most runs between two marks are shorter. */
const LONGEST_CACHED_RUN = 200

/** Lookups of the table for segmentation. */
interface Costs {
  /** −ln of the probability of each row's word. */
  readonly ofRow: Float64Array
  /** The first two characters of each longer word. Fewer than one pair in ten begins a word, so most lookups are saved. */
  readonly starts: ReadonlySet<string>
}

let costs: Costs | undefined

function costsOf({ rows, probabilities }: WordTable): Costs {
  if (costs !== undefined) return costs
  const starts = new Set<string>()
  for (const word of rows.keys()) {
    const [first = '', second = '', third] = word
    if (third !== undefined) starts.add(first + second)
  }
  const ofRow = new Float64Array(probabilities.length)
  for (let row = 0; row < ofRow.length; row += 1) ofRow[row] = -Math.log(probabilities[row] ?? 0)
  costs = { ofRow, starts }
  return costs
}

/**
 * Segments a run of Chinese into the most probable words of the packaged table. Unknown characters are single words. Node's own segmenter
 * (ICU) is not used, since a text must have the same vector under every release of Node.
 *
 * @throws ModelError on the first call if the packaged file is missing or damaged
 * @example
 * segmentChinese('我的老板很好') // ['我', '的', '老板', '很', '好']
 */
export function segmentChinese(run: string): readonly string[] {
  const cached = segmentedRuns.get(run)
  if (cached !== undefined) return cached
  const words = findCheapestWords(run)
  if (run.length <= LONGEST_CACHED_RUN) segmentedRuns.set(run, words)
  return words
}

/** Finds the words with the lowest sum of costs by dynamic programming: for each end, the best last word. */
function findCheapestWords(run: string): string[] {
  const table = embeddedChineseTable()
  const { rows } = table
  const { ofRow, starts } = costsOf(table)
  const characters = Array.from(run)
  const cost = new Float64Array(characters.length + 1).fill(Number.POSITIVE_INFINITY)
  const lengths = new Uint8Array(characters.length + 1)
  cost[0] = 0
  for (let from = 0; from < characters.length; from++) {
    let word = ''
    for (let length = 1; length <= LONGEST_WORD && from + length <= characters.length; length++) {
      if (length === 3 && !starts.has(word)) break
      word += characters[from + length - 1] ?? ''
      const row = rows.get(word)
      if (row === undefined && length > 1) continue
      const added = row === undefined ? UNKNOWN_COST : (ofRow[row] ?? 0)
      const total = (cost[from] ?? 0) + added
      if (total >= (cost[from + length] ?? 0)) continue
      cost[from + length] = total
      lengths[from + length] = length
    }
  }
  const words: string[] = []
  for (let to = characters.length; to > 0; to -= lengths[to] ?? 1)
    words.push(characters.slice(to - (lengths[to] ?? 1), to).join(''))
  return words.reverse()
}
