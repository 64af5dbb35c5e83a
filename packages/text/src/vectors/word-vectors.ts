import type { EmbeddingModel } from './embedding-model.ts'
import { normaliseVector } from './normalise-vector.ts'
import { embeddedCharacterTable } from './character-table.ts'
import { embeddedChineseTable, segmentChinese } from './chinese-words.ts'
import { addHashedFeature } from './hash-features.ts'
import { readPackagedData } from './read-packaged-data.ts'
import { isUnspaced, splitClitics, splitText, withoutDrawl } from './split-text.ts'
import { decodeWordTable, type WordTable } from './word-table.ts'

export const WORD_TABLE_FILE = 'word-vectors-en.bin'
/** Changed whenever a vector of any text changes, so that stores embed again. */
const ID = 'keepsake/words-2'
/**
 * All dimensions; the word tables fill the first 100, unknown words the rest, characters of unspaced scripts the whole.
 * Measured in docs/decisions/0003-embedded-word-vectors.md. A multiple of 16, for SIMD.
 */
export const DIMENSIONS = 192
/** SIF's a (Arora et al. 2017): what has probability p weighs a / (a + p). */
const SIF_A = 1e-3
/** A pair of characters beside a single one: more ranked worse, none loses their order (decision 0003). */
const PAIR_WEIGHT = 0.7
/** Taken for a letter of a script with few letters (kana, Thai): as frequent as one of about fifty. */
const ALPHABET_PROBABILITY = 0.02
/** How much of a text is read, in UTF-16 units; what follows could hardly turn the average of 10,000 words. */
const MAX_LENGTH = 1 << 16
const HAN = /\p{Script=Han}/u
/** Longest unknown word of which all n-grams are taken; beyond it is no word. */
const MAX_WORD_LENGTH = 40

let loaded: WordTable | undefined
/** The packaged English word table, read on first use and then kept. */
export function embeddedWordTable(): WordTable {
  return (loaded ??= decodeWordTable(readPackagedData(WORD_TABLE_FILE)))
}

/** The embedder inside the package: it answers at once and always says how long its vectors are. */
export interface EmbeddedWordVectors extends EmbeddingModel {
  readonly dimensions: number
  embedNow(text: string): Float32Array
}

/**
 * The embedder inside the package: the frequency-weighted average of English and Chinese word vectors without their
 * common direction (SIF, Arora et al. 2017), and hashed character n-grams for words outside its tables and for scripts
 * without spaces. Both languages' words lie in one space, so that 医生 is near “doctor”. It downloads nothing. Its files are read on the first call, not on import, and are shared.
 * Only the first 65,536 characters of a text count.
 *
 * @throws ModelError on the first call when a packaged file is missing or damaged.
 * @example
 * const model = embeddedWordVectors()
 * const vector = model.embedNow('We adopted a puppy') // 192 numbers, length 1
 */
export function embeddedWordVectors(): EmbeddedWordVectors {
  return {
    id: ID,
    dimensions: DIMENSIONS,
    embedNow: embedText,
    embed: async (texts, options) =>
      texts.map((text) => {
        options?.abortSignal?.throwIfAborted()
        return embedText(text)
      }),
  }
}

function embedText(text: string): Float32Array {
  const table = embeddedWordTable()
  const vector = new Float32Array(DIMENSIONS)
  for (const piece of splitText(text.slice(0, MAX_LENGTH))) {
    if (isUnspaced(piece)) {
      addCharacters(vector, piece)
      if (HAN.test(piece)) addChineseWords(vector, piece)
    } else addWord(vector, table, piece)
  }
  return normaliseVector(vector)
}

function addWord(vector: Float32Array, table: WordTable, word: string): void {
  const row = table.rows.get(word)
  if (row !== undefined) return addRow(vector, table, row)
  for (const part of splitClitics(word)) {
    const form = [part, ...withoutDrawl(part)].find((known) => table.rows.has(known))
    if (form !== undefined) addRow(vector, table, table.rows.get(form) ?? 0)
    else if (!/^[a-z]$/.test(part)) addUnknownWord(vector, table, part)
  }
}

function addRow(vector: Float32Array, table: WordTable, row: number): void {
  const { bytes, dimensions } = table
  const factor = (table.scales[row] ?? 0) * sifWeight(table.probabilities[row] ?? 0)
  const from = row * dimensions
  for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) + (bytes[from + at] ?? 0) * factor
}

/** Its own dimensions, and as long as the average vector of a rare word: the table is scaled to length 1. */
function addUnknownWord(vector: Float32Array, table: WordTable, word: string): void {
  const grams = characterGrams(word)
  const weight = 1 / Math.sqrt(grams.length)
  const beyondTheTable = vector.subarray(table.dimensions)
  for (const gram of grams) addHashedFeature(beyondTheTable, gram, weight)
}

/** The word itself and its pieces of three and four letters, ends marked; a number is only itself. */
function characterGrams(word: string): string[] {
  const marked = `<${word.slice(0, MAX_WORD_LENGTH)}>`
  const grams = [marked]
  if (/^\p{N}/u.test(word)) return grams
  for (const size of [3, 4]) {
    for (let at = 0; at + size <= marked.length; at++) grams.push(marked.slice(at, at + size))
  }
  return grams
}

function addChineseWords(vector: Float32Array, run: string): void {
  const table = embeddedChineseTable()
  for (const word of segmentChinese(run)) {
    const row = table.rows.get(word)
    if (row !== undefined) addRow(vector, table, row)
  }
}

function addCharacters(vector: Float32Array, run: string): void {
  let previous = ''
  let previousWeight = 0
  for (const character of run) {
    const weight = characterWeight(character)
    addHashedFeature(vector, character, weight)
    if (previous !== '') {
      const pairWeight = PAIR_WEIGHT * Math.sqrt(previousWeight * weight)
      addHashedFeature(vector, previous + character, pairWeight)
    }
    previous = character
    previousWeight = weight
  }
}

function characterWeight(character: string): number {
  const known = embeddedCharacterTable().get(character)
  return sifWeight(known ?? (HAN.test(character) ? 0 : ALPHABET_PROBABILITY))
}

function sifWeight(probability: number): number {
  return SIF_A / (SIF_A + probability)
}
