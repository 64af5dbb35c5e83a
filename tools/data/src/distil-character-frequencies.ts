/**
 * Makes `packages/text/data/character-frequencies-zh.json` from the word counts of the dictionary in the
 * MIT-licensed npm package `nodejieba`. Deterministic: prints the file's SHA-256, which NOTICE.md repeats.
 *
 *   node tools/data/src/distil-character-frequencies.ts
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STEPS_PER_BIT } from '@keepsake/text'
import { fetchPackage } from './fetch-package.ts'

const SOURCE = {
  name: 'nodejieba',
  version: '3.5.8',
  integrity:
    'sha512-TFiDYgEVmBgQwAr1sVj7err3Cn21qxMxTLA+LTEVqKcGqgwJuonJEW0g6oH2+7FhMKJfkWsvlj1SaTrWXe1Q9w==',
}
const TARGET = fileURLToPath(
  new URL('../../../packages/text/data/character-frequencies-zh.json', import.meta.url),
)
/** The number of characters in the file. They are 99.4 % of a text. Rarer characters all have a weight near 1. */
const CHARACTERS = 4000

const dictionary = join(fetchPackage(SOURCE), 'submodules/cppjieba/dict/jieba.dict.utf8')
const counts = countCharacters(readFileSync(dictionary, 'utf8'))
const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
const kept = [...counts].sort(([, left], [, right]) => right - left).slice(0, CHARACTERS)
const steps = kept.map(([, count]) => Math.min(255, Math.round(-Math.log2(count / total) * STEPS_PER_BIT)))
const file = `${JSON.stringify(
  {
    source: `${SOURCE.name} ${SOURCE.version}, MIT`,
    characters: kept.map(([character]) => character).join(''),
    frequencies: Buffer.from(steps).toString('base64'),
  },
  undefined,
  2,
)}\n`
writeFileSync(TARGET, file)
const covered = kept.reduce((sum, [, count]) => sum + count, 0) / total
const sha256 = createHash('sha256').update(file).digest('hex')
console.log(JSON.stringify({ characters: kept.length, covered, bytes: Buffer.byteLength(file), sha256 }))

/** Counts each Chinese character in lines of "word count class". */
function countCharacters(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [word = '', count = '0'] = line.split(' ')
    for (const character of word.match(/\p{Script=Han}/gu) ?? []) {
      counts.set(character, (counts.get(character) ?? 0) + Number(count))
    }
  }
  return counts
}
