import { crc32 } from 'node:zlib'
import { ModelError } from '../errors/model-error.ts'

/** First bytes of the file, `KSWV`. */
export const WORD_TABLE_MAGIC = 0x5657534b
/** Version of the layout below. */
export const WORD_TABLE_VERSION = 1
/** Bytes before the first section: magic, version, words, dimensions, bytes of text, CRC-32 of all that follows. */
export const WORD_TABLE_HEADER_BYTES = 24
/** A probability p is stored in one byte, as −log₂ p in eighths of a bit. So it is exact to 4.5 %, down to 31.9 bits. */
export const STEPS_PER_BIT = 8

/**
 * Words, each with a vector and a probability, read from the packaged file. The file is little-endian, and its sections are padded to four
 * bytes:
 *
 * 1. header
 * 2. words (UTF-8, `\n` between, most frequent first)
 * 3. −log₂ p of each word (u8)
 * 4. scale of each vector (f32)
 * 5. vectors (i8 for each dimension; the value is the byte times the scale)
 */
export interface WordTable {
  readonly dimensions: number
  /** Row of each word. The most frequent word has the first row. */
  readonly rows: ReadonlyMap<string, number>
  /** Probability of each row's word in general English. */
  readonly probabilities: Float32Array
  readonly scales: Float32Array
  readonly bytes: Int8Array
}

/** Rounds up to a multiple of four. */
export const padded = (bytes: number): number => (bytes + 3) & ~3

/** Decodes a word table. @throws ModelError if the file is no word table, has another version, or is damaged */
export function decodeWordTable(file: Buffer): WordTable {
  const header = readHeader(file)
  const { words, dimensions, textBytes } = header
  const textAt = WORD_TABLE_HEADER_BYTES
  const frequenciesAt = textAt + padded(textBytes)
  const scalesAt = frequenciesAt + padded(words)
  const vectorsAt = scalesAt + words * 4
  if (file.length !== vectorsAt + words * dimensions) throw damaged('its length does not fit its header')
  if (crc32(file.subarray(WORD_TABLE_HEADER_BYTES)) !== header.checksum) throw damaged('its checksum differs')

  // A Float32Array needs an offset that is a multiple of 4, and a Buffer may start anywhere. So the scales are copied to offset 0.
  const scales = new Float32Array(file.buffer.slice(file.byteOffset + scalesAt, file.byteOffset + vectorsAt))
  return {
    dimensions,
    rows: readRows(file.toString('utf8', textAt, textAt + textBytes), words),
    probabilities: readProbabilities(file.subarray(frequenciesAt, frequenciesAt + words)),
    scales,
    bytes: new Int8Array(file.buffer, file.byteOffset + vectorsAt, words * dimensions),
  }
}

function readHeader(file: Buffer) {
  if (file.length < WORD_TABLE_HEADER_BYTES || file.readUInt32LE(0) !== WORD_TABLE_MAGIC) {
    throw damaged('it does not start as one')
  }
  const version = file.readUInt32LE(4)
  if (version !== WORD_TABLE_VERSION) throw damaged(`its version is ${version}, not ${WORD_TABLE_VERSION}`)
  return {
    words: file.readUInt32LE(8),
    dimensions: file.readUInt32LE(12),
    textBytes: file.readUInt32LE(16),
    checksum: file.readUInt32LE(20),
  }
}

function readRows(text: string, words: number): Map<string, number> {
  const rows = new Map<string, number>()
  let start = 0
  for (let row = 0; row < words; row++) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    rows.set(text.slice(start, end), row)
    start = end + 1
  }
  if (rows.size !== words) throw damaged('words are missing or repeated')
  return rows
}

function readProbabilities(steps: Uint8Array): Float32Array {
  const byStep = Float32Array.from({ length: 256 }, (_, step) => 2 ** (-step / STEPS_PER_BIT))
  // This loop replaces `Float32Array.from`, which takes a tenth of a second for all words.
  const probabilities = new Float32Array(steps.length)
  for (let row = 0; row < steps.length; row += 1) probabilities[row] = byStep[steps[row] ?? 0] ?? 0
  return probabilities
}

function damaged(fault: string): ModelError {
  return new ModelError(
    `The packaged word vectors cannot be used: ${fault}. Reinstall the package "keepsake".`,
  )
}
