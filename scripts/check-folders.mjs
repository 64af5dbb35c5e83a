// No circles between folders: every folder of a package's src is a room, and the arrows of its imports go one way.
// A folder inside another is part of it: between these two, and with src itself, arrows may go both ways.
// `node scripts/check-folders.mjs packages/server tools/perf` looks at those packages alone.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const NOT_SHIPPED = /\.test\.tsx?$|-fixture\.ts$|(^|\/)testing\//
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/** Whether one of two folders lies within the other. @param {string} one @param {string} other */
const isWithin = (one, other) => one === '.' || `${other}/`.startsWith(`${one}/`)

/** Which folder imports which, with the first file that does. @param {string} source */
function readArrows(source) {
  /** @type {Map<string, Map<string, string>>} */
  const arrows = new Map()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: source }).filter((name) => !NOT_SHIPPED.test(name))) {
    const from = dirname(file)
    const to = arrows.get(from) ?? new Map()
    arrows.set(from, to)
    for (const [, path = ''] of readFileSync(join(source, file), 'utf8').matchAll(IMPORT)) {
      const target = dirname(join(from, path))
      if (isWithin(target, from) || isWithin(from, target) || to.has(target)) continue
      to.set(target, `${file} imports ${path}`)
    }
  }
  return arrows
}

/** The folders of a circle that begins and ends at `start`, or null. @param {Map<string, Map<string, string>>} arrows @param {string} start */
function findCircle(arrows, start) {
  /** @type {string[][]} */
  const ways = [[start]]
  const seen = new Set()
  for (const way of ways) {
    for (const next of arrows.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return way
      if (seen.has(next)) continue
      seen.add(next)
      ways.push([...way, next])
    }
  }
  return null
}

let folders = 0
let circles = 0
const asked = process.argv.slice(2)
const packages = asked.length > 0 ? asked : globSync('{packages,tools}/*', { cwd: ROOT })
for (const name of packages.toSorted()) {
  const arrows = readArrows(join(ROOT, name, 'src'))
  folders += arrows.size
  const reported = new Set()
  for (const start of [...arrows.keys()].toSorted()) {
    const circle = reported.has(start) ? null : findCircle(arrows, start)
    if (circle === null) continue
    circles++
    for (const folder of circle) reported.add(folder)
    console.error(`${name}/src: ${[...circle, start].join(' -> ')}`)
    for (const [place, folder] of circle.entries())
      console.error(`  ${arrows.get(folder)?.get(circle[place + 1] ?? start)}`)
  }
}
if (folders === 0) console.error('there is no folder with a .ts file: nothing was checked')
console.log(`${folders} folders, ${circles} circles`)
process.exitCode = circles === 0 && folders > 0 ? 0 : 1
