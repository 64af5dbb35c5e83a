import { endianness } from 'node:os'
import { InvalidInputError } from '@keepsake/text'

/** ASCII's unit separator: a control character, which no analyser makes a term of. */
const SEPARATOR = '\u001f'

/** @throws InvalidInputError when a term is empty or holds the separator: it could not be read back. */
export function encodeTerms(terms: readonly string[]): string {
  const joined = terms.join(SEPARATOR)
  if (terms.length > 0 && joined.split(SEPARATOR).length !== terms.length) {
    throw new InvalidInputError(
      'A term of a document holds the character U+001F. Analysers must not make such terms.',
    )
  }
  if (terms.length === 1 && joined === '') {
    throw new InvalidInputError('The only term of a document is empty. Analysers must not make such terms.')
  }
  return joined
}

export function decodeTerms(text: string): string[] {
  return text === '' ? [] : text.split(SEPARATOR)
}

/** Float32, little-endian, on every machine, so that a file can be moved. */
export function encodeVector(vector: Float32Array | null): Buffer | null {
  if (vector === null) return null
  if (endianness() === 'LE') return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
  return Buffer.from(vector.slice().buffer).swap32()
}

/** Reads the vector in a blob, or in a part of one. */
export function decodeVector(blob: Buffer, offset = 0, bytes = blob.byteLength - offset): Float32Array {
  const start = blob.byteOffset + offset
  const isAligned = start % Float32Array.BYTES_PER_ELEMENT === 0
  // A view where the bytes lie right for one: copying 100k vectors costs 40 ms for nothing.
  if (isAligned && endianness() === 'LE')
    return new Float32Array(blob.buffer, start, bytes / Float32Array.BYTES_PER_ELEMENT)
  const copy = Buffer.from(Uint8Array.from(blob.subarray(offset, offset + bytes)).buffer)
  if (endianness() === 'BE') copy.swap32()
  return new Float32Array(copy.buffer)
}
