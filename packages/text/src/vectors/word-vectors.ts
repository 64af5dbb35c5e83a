// The packaged embedder: averages of word vectors, without a model to download.
import type { EmbeddingModel } from './embedding-model.ts'
import { normaliseVector } from './normalise-vector.ts'
import { embeddedCharacterTable } from './character-table.ts'
import { embeddedChineseTable, segmentChinese } from './chinese-words.ts'
import { addHashedFeature } from './hash-features.ts'
import { readPackagedData } from '../terms/read-packaged-data.ts'
import { isUnspaced, splitClitics, splitText, withoutDrawl } from './split-text.ts'
import { decodeWordTable, type WordTable } from './word-table.ts'

export const WORD_TABLE_FILE = 'word-vectors-en.bin'
/** Version of the vectors. If it changes, stores embed their texts again. */
const ID = 'keepsake/words-3'
/**
 * Number of dimensions. Words of the tables fill the first 100, unknown words the rest, and scripts without spaces all. It is a multiple of
 * 16, as SIMD needs it.
 */
export const DIMENSIONS = 192
/** The parameter a of SIF, a weighted average of word vectors (Arora et al. 2017): a word of probability p has the weight a / (a + p). */
const SIF_A = 1e-3
/** Weight of a pair of characters, while a single one has 1. Without pairs the order is lost, and a higher weight ranks worse (decision 0003). */
const PAIR_WEIGHT = 0.7
/** Probability of a letter of a small script (kana, Thai): one of about fifty. */
const ALPHABET_PROBABILITY = 0.02
/** Maximum UTF-16 units that are read. Later text would hardly change the average of 10,000 words. */
const MAX_LENGTH = 1 << 16
const HAN = /\p{Script=Han}/u
/** Maximum letters of an unknown word whose n-grams are used. */
const MAX_WORD_LENGTH = 40

let loaded: WordTable | undefined
/** Returns the packaged English word table, read on first use and cached. */
export function embeddedWordTable(): WordTable {
  return (loaded ??= decodeWordTable(readPackagedData(WORD_TABLE_FILE)))
}

/** The packaged embedder, which embeds synchronously and always declares its dimensions. */
export interface EmbeddedWordVectors extends EmbeddingModel {
  readonly dimensions: number
  embedNow(text: string): Float32Array
}

/**
 * Returns the packaged embedder: the SIF average (Arora et al. 2017) of English and Chinese word vectors. Hashed character n-grams cover
 * unknown words and unspaced scripts. Both languages share one space, so that 医生 is near “doctor”. It downloads nothing. Its files are
 * read on the first call and are shared. Only the first 65,536 characters of a text count.
 *
 * @throws ModelError on the first call if a packaged file is missing or damaged
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

/** Adds a word, or the parts of an unknown word that the table has. */
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
  for (let i = 0; i < dimensions; i++) vector[i] = (vector[i] ?? 0) + (bytes[from + i] ?? 0) * factor
}

/** Adds an unknown word beyond the dimensions of the table. Its vector has length 1, which is the average length of a rare word's. */
function addUnknownWord(vector: Float32Array, table: WordTable, word: string): void {
  const grams = characterGrams(word)
  const weight = 1 / Math.sqrt(grams.length)
  const beyondTheTable = vector.subarray(table.dimensions)
  for (const gram of grams) addHashedFeature(beyondTheTable, gram, weight)
}

/** Returns a word and its pieces of three and four letters, with its ends marked. A number has no pieces. */
function characterGrams(word: string): string[] {
  const marked = `<${word.slice(0, MAX_WORD_LENGTH)}>`
  const grams = [marked]
  if (/^\p{N}/u.test(word)) return grams
  for (const size of [3, 4]) {
    for (let index = 0; index + size <= marked.length; index++) grams.push(marked.slice(index, index + size))
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

/** Returns the weight of a character by its frequency. A Chinese character outside the table is rare. */
function characterWeight(character: string): number {
  const known = embeddedCharacterTable().get(character)
  return sifWeight(known ?? (HAN.test(character) ? 0 : ALPHABET_PROBABILITY))
}

function sifWeight(probability: number): number {
  return SIF_A / (SIF_A + probability)
}
