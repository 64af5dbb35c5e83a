import { crc32 } from 'node:zlib'
import { damagedData } from '../terms/read-packaged-data.ts'

/** First bytes of the file, `KSRT`. */
export const RELATED_TABLE_MAGIC = 0x5452534b
/** Version of the layout below. */
export const RELATED_TABLE_VERSION = 1
/** Bytes before the first section: magic, version, words, pairs, bytes of text, CRC-32 of all that follows. */
export const RELATED_TABLE_HEADER_BYTES = 24
/** Steps of a weight, which takes one byte. */
export const WEIGHT_STEPS = 255
/** Maximum words, since their indexes take 16 bits. */
export const MOST_WORDS = 1 << 16

/**
 * Words and their synonyms, read from a packaged file. A pair is a word with one synonym. The file is little-endian, and its sections are
 * padded to four bytes:
 *
 * 1. header
 * 2. words (UTF-8, sorted by UTF-16 unit, `\n` between)
 * 3. start of each word's pairs (u32), and the end of the last
 * 4. the synonym of each pair (u16), highest weight first
 * 5. the weight of each pair (u8, in 255ths)
 */
export interface RelatedTable {
  readonly words: readonly string[]
  readonly starts: Uint32Array
  readonly others: Uint16Array
  readonly weights: Uint8Array
}

/** Rounds up to a multiple of four. */
const padded = (bytes: number): number => (bytes + 3) & ~3

/** Returns the offset of each section. */
export function relatedTableSections(words: number, pairs: number, textBytes: number) {
  const startsAt = RELATED_TABLE_HEADER_BYTES + padded(textBytes)
  const othersAt = startsAt + (words + 1) * 4
  const weightsAt = othersAt + padded(pairs * 2)
  return { textAt: RELATED_TABLE_HEADER_BYTES, startsAt, othersAt, weightsAt, end: weightsAt + pairs }
}

/** Decodes a synonym table. @throws ModelError naming the file if it is no such table, of another version, or damaged */
export function decodeRelatedTable(name: string, file: Buffer): RelatedTable {
  if (file.length < RELATED_TABLE_HEADER_BYTES || file.readUInt32LE(0) !== RELATED_TABLE_MAGIC) {
    throw damagedData(name)
  }
  const [words, pairs, textBytes] = [file.readUInt32LE(8), file.readUInt32LE(12), file.readUInt32LE(16)]
  const { textAt, startsAt, othersAt, weightsAt, end } = relatedTableSections(words, pairs, textBytes)
  const isWhole =
    file.readUInt32LE(4) === RELATED_TABLE_VERSION &&
    file.length === end &&
    crc32(file.subarray(RELATED_TABLE_HEADER_BYTES)) === file.readUInt32LE(20)
  if (!isWhole) throw damagedData(name)
  // Typed arrays need alignment, and a Buffer may start anywhere in its ArrayBuffer. So the sections are copied to offset 0.
  const copy = (from: number, to: number) => file.buffer.slice(file.byteOffset + from, file.byteOffset + to)
  return {
    words: file.toString('utf8', textAt, textAt + textBytes).split('\n'),
    starts: new Uint32Array(copy(startsAt, othersAt)),
    others: new Uint16Array(copy(othersAt, othersAt + pairs * 2)),
    weights: new Uint8Array(file.buffer, file.byteOffset + weightsAt, pairs),
  }
}

/** Returns the row of a word, or −1. A binary search is used, since building a map would cost more than it saves. */
export function rowOf({ words }: RelatedTable, word: string): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] ?? '') < word) low = middle + 1
    else high = middle
  }
  return words[low] === word ? low : -1
}
