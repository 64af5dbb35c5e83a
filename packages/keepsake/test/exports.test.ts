import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as keepsake from 'keepsake'

/** The most names of each entry. A newcomer reads the first; the others have one purpose each. Own keys and categories took five of the first. */
// Of `index`, six read and write attachments, and four are of entities. Of `store`, six serve other drivers of SQLite (libSQL), and one Postgres's notices.
const MOST = { index: 126, preset: 190, model: 52, store: 67 } as const
type Entry = keyof typeof MOST
const ENTRIES = Object.keys(MOST) as readonly Entry[]

const LIST = /^export (?:type )?\{([^}]*)\} from/gm

/** The names that an entry exports, types included. The rows of the port come as a whole and are not counted. */
function namesOf(entry: Entry): string[] {
  const source = readFileSync(new URL(`../src/${entry}.ts`, import.meta.url), 'utf8')
  return [...source.matchAll(LIST)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
}

it.each(ENTRIES)('%s exports no more names than its ceiling', (entry) => {
  expect(namesOf(entry).length).toBeLessThanOrEqual(MOST[entry])
})

it('the main entry names every export in its source', () => {
  expect(namesOf('index')).toEqual(expect.arrayContaining(Object.keys(keepsake)))
})

it('each name of the main entry is in no other entry', () => {
  const main = new Set(namesOf('index'))
  const others = ENTRIES.filter((entry) => entry !== 'index').flatMap(namesOf)
  expect(others.filter((name) => main.has(name))).toEqual([])
})
