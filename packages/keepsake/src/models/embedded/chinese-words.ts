import { readPackagedData } from './read-packaged-data.ts'
import { decodeWordTable, type WordTable } from './word-table.ts'

export const CHINESE_WORD_TABLE_FILE = 'word-vectors-zh.bin'
/** The longest word of the table, in characters. */
const LONGEST_WORD = 4
/** −ln of the probability of a character outside the table: rarer than any inside. */
const UNKNOWN_COST = 22

let loaded: WordTable | undefined
/** The packaged Chinese word table, read on first use and then kept. */
export function embeddedChineseTable(): WordTable {
  return (loaded ??= decodeWordTable(readPackagedData(CHINESE_WORD_TABLE_FILE)))
}

/**
 * Divides a run of Chinese into the words of the packaged table that are most probable together; what is in no word
 * stands alone. Of its own, not by ICU: the same text must give the same vector under every release of Node.
 *
 * @throws ModelError on the first call when the packaged file is missing or damaged.
 * @example
 * segmentChinese('我的老板很好') // ['我', '的', '老板', '很', '好']
 */
export function segmentChinese(run: string): string[] {
  const table = embeddedChineseTable()
  const { rows, probabilities } = table
  const characters = Array.from(run)
  const cost = new Float64Array(characters.length + 1).fill(Number.POSITIVE_INFINITY)
  const lengths = new Uint8Array(characters.length + 1)
  cost[0] = 0
  for (let from = 0; from < characters.length; from++) {
    let word = ''
    for (let length = 1; length <= LONGEST_WORD && from + length <= characters.length; length++) {
      word += characters[from + length - 1] ?? ''
      const row = rows.get(word)
      if (row === undefined && length > 1) continue
      const added = row === undefined ? UNKNOWN_COST : -Math.log(probabilities[row] ?? 0)
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
