import { crc32 } from 'node:zlib'
import {
  padded,
  STEPS_PER_BIT,
  WORD_TABLE_HEADER_BYTES,
  WORD_TABLE_MAGIC,
  WORD_TABLE_VERSION,
} from '@keepsake/text'

export interface WordEntry {
  readonly word: string
  readonly probability: number
  readonly vector: Float64Array
}

/** Encodes a word table as a file, whose layout `WordTable` describes. The most frequent entries must come first. */
export function encodeWordTable(entries: readonly WordEntry[], dimensions: number): Buffer {
  const text = Buffer.from(entries.map((entry) => entry.word).join('\n'), 'utf8')
  const frequenciesAt = WORD_TABLE_HEADER_BYTES + padded(text.length)
  const scalesAt = frequenciesAt + padded(entries.length)
  const vectorsAt = scalesAt + entries.length * 4
  const file = Buffer.alloc(vectorsAt + entries.length * dimensions)
  text.copy(file, WORD_TABLE_HEADER_BYTES)
  for (const [row, { probability, vector }] of entries.entries()) {
    file[frequenciesAt + row] = Math.min(255, Math.round(-Math.log2(probability) * STEPS_PER_BIT))
    const scale = Math.fround(vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127)
    file.writeFloatLE(scale, scalesAt + row * 4)
    for (const [at, value] of vector.entries()) {
      file.writeInt8(scale === 0 ? 0 : Math.round(value / scale), vectorsAt + row * dimensions + at)
    }
  }
  file.writeUInt32LE(WORD_TABLE_MAGIC, 0)
  file.writeUInt32LE(WORD_TABLE_VERSION, 4)
  file.writeUInt32LE(entries.length, 8)
  file.writeUInt32LE(dimensions, 12)
  file.writeUInt32LE(text.length, 16)
  file.writeUInt32LE(crc32(file.subarray(WORD_TABLE_HEADER_BYTES)), 20)
  return file
}
