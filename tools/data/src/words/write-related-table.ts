import { crc32 } from 'node:zlib'
import {
  MOST_WORDS,
  RELATED_TABLE_MAGIC,
  RELATED_TABLE_VERSION,
  relatedTableSections,
  WEIGHT_STEPS,
} from '@keepsake/text'

/** For each word, the words that may be used instead of it, with weights from 0 to 1. */
export type Relations = Map<string, Map<string, number>>

/** Relates a word to another. If they are related already, the higher weight stays. */
export function relate(relations: Relations, word: string, other: string, weight: number): void {
  if (word === other || word === '' || other === '') return
  const related = relations.get(word) ?? new Map<string, number>()
  if (weight > (related.get(other) ?? 0)) related.set(other, Math.min(1, weight))
  relations.set(word, related)
}

/** Encodes the packaged table of related words (see `RelatedTable`). `maxOthers` is the maximum number of related words per word. */
export function encodeRelatedTable(relations: Relations, minWeight: number, maxOthers: number): Buffer {
  const lists = [...relations].map(
    ([word, others]) => [word, strongest(others, minWeight, maxOthers)] as const,
  )
  const kept = lists.filter(([, others]) => others.length > 0)
  const words = [
    ...new Set(kept.flatMap(([word, others]) => [word, ...others.map(([other]) => other)])),
  ].sort()
  if (words.length > MOST_WORDS) throw new Error(`${words.length} words are more than ${MOST_WORDS}.`)
  const rows = new Map(words.map((word, row) => [word, row]))
  const byWord = new Map(kept)
  const pairs = kept.reduce((sum, [, others]) => sum + others.length, 0)
  const text = Buffer.from(words.join('\n'), 'utf8')
  const { textAt, startsAt, othersAt, weightsAt, end } = relatedTableSections(
    words.length,
    pairs,
    text.length,
  )
  const file = Buffer.alloc(end)
  text.copy(file, textAt)
  let pair = 0
  for (const [row, word] of words.entries()) {
    file.writeUInt32LE(pair, startsAt + row * 4)
    for (const [other, weight] of byWord.get(word) ?? []) {
      file.writeUInt16LE(rows.get(other) ?? 0, othersAt + pair * 2)
      file[weightsAt + pair++] = Math.round(weight * WEIGHT_STEPS)
    }
  }
  file.writeUInt32LE(pair, startsAt + words.length * 4)
  const head = [RELATED_TABLE_MAGIC, RELATED_TABLE_VERSION, words.length, pairs, text.length]
  for (const [at, value] of head.entries()) file.writeUInt32LE(value, at * 4)
  file.writeUInt32LE(crc32(file.subarray(textAt)), head.length * 4)
  return file
}

/** Returns the words with the highest weights. Equal weights are sorted by word, so that the file is the same everywhere. */
function strongest(
  others: ReadonlyMap<string, number>,
  minWeight: number,
  maxOthers: number,
): [string, number][] {
  return [...others]
    .filter(([, weight]) => weight >= minWeight)
    .sort(([one, weight], [other, otherWeight]) => otherWeight - weight || (one < other ? -1 : 1))
    .slice(0, maxOthers)
}
