import { crc32 } from 'node:zlib'
import {
  MOST_WORDS,
  RELATED_TABLE_MAGIC,
  RELATED_TABLE_VERSION,
  relatedTableSections,
  WEIGHT_STEPS,
} from '@keepsake/text'

/** Of each word, others that may be said in its place, and how sure that is, 0 to 1. */
export type Relations = Map<string, Map<string, number>>

/** Keeps the surer of two ways from one word to another. */
export function relate(relations: Relations, word: string, other: string, weight: number): void {
  if (word === other || word === '' || other === '') return
  const related = relations.get(word) ?? new Map<string, number>()
  if (weight > (related.get(other) ?? 0)) related.set(other, Math.min(1, weight))
  relations.set(word, related)
}

/** The packaged table of related words (see `RelatedTable`): at most `most` others per word, of weight `least` or more. */
export function encodeRelatedTable(relations: Relations, least: number, most: number): Buffer {
  const lists = [...relations].map(([word, others]) => [word, surest(others, least, most)] as const)
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

/** Equal weights in the order of the words, so that the file is the same wherever it is made. */
function surest(others: ReadonlyMap<string, number>, least: number, most: number): [string, number][] {
  return [...others]
    .filter(([, weight]) => weight >= least)
    .sort(([one, weight], [other, otherWeight]) => otherWeight - weight || (one < other ? -1 : 1))
    .slice(0, most)
}
