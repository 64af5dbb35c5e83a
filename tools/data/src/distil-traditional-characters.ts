/**
 * Makes `packages/text/data/traditional-characters.json` from the character table of OpenCC (Apache-2.0) in the npm package
 * `opencc-js` (MIT), and a few forms of Taiwan and Hong Kong that it leaves as they are. Deterministic: prints the file's SHA-256,
 * which NOTICE.md repeats.
 *
 *   node tools/data/src/distil-traditional-characters.ts
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchPackage } from './fetch-package.ts'

const SOURCE = {
  name: 'opencc-js',
  version: '1.4.2',
  integrity:
    'sha512-EdcspgdROiCCZDM+jZR6Pa670xW+EW2QhctPBQ8gRjg6lrx4IHEl+2s+kt5izk/TkxVRgdWuFgaGkaEdIUfdaw==',
}
const TARGET = fileURLToPath(
  new URL('../../../packages/text/data/traditional-characters.json', import.meta.url),
)
/** Further pairs of a form that is typed in Taiwan or Hong Kong and its simplified character. */
const FURTHER_PAIRS = '著着 妳你 牠它 唸念 喫吃 裡里 裏里 佔占 瞭了'

const source = readFileSync(join(fetchPackage(SOURCE), 'dist/esm-lib/dict/TSCharacters.js'), 'utf8')
const [, table = ''] = /"(.*)"/s.exec(source) ?? []
const listed = table.split('|').map((pair) => pair.replace(' ', ''))
// Takes only pairs of one UTF-16 unit each, so that a conversion does not move offsets.
const pairs = new Map(
  [...listed, ...FURTHER_PAIRS.split(' ')]
    .filter(({ length }) => length === 2)
    .map((pair) => [pair[0], pair[1]]),
)
const changed = [...pairs].filter(([one, other]) => one !== other)
const file = `${JSON.stringify(
  {
    source: `${SOURCE.name} ${SOURCE.version}, MIT; OpenCC, Apache-2.0`,
    traditional: changed.map(([one]) => one).join(''),
    simplified: changed.map(([, other]) => other).join(''),
  },
  undefined,
  2,
)}\n`
writeFileSync(TARGET, file)
const sha256 = createHash('sha256').update(file).digest('hex')
console.log(JSON.stringify({ characters: changed.length, bytes: Buffer.byteLength(file), sha256 }))
