// Checks that the imports between the folders of a package's src form no circle.
// A folder and its subfolders may import each other, and so may src itself and its folders.
// `node scripts/check-folders.mjs packages/server tools/perf` checks only those packages.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const NOT_SHIPPED = /\.test\.tsx?$|-fixture\.ts$|(^|\/)testing\//
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/** Reports whether `inner` is the folder `outer` or lies in it. @param {string} outer @param {string} inner */
const contains = (outer, inner) => outer === '.' || `${inner}/`.startsWith(`${outer}/`)

/** Finds which folder imports which, each with one import as an example. @param {string} source */
function readImports(source) {
  /** @type {Map<string, Map<string, string>>} */
  const imports = new Map()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: source }).filter((name) => !NOT_SHIPPED.test(name))) {
    const from = dirname(file)
    const to = imports.get(from) ?? new Map()
    imports.set(from, to)
    for (const [, path = ''] of readFileSync(join(source, file), 'utf8').matchAll(IMPORT)) {
      const target = dirname(join(from, path))
      if (contains(target, from) || contains(from, target) || to.has(target)) continue
      to.set(target, `${file} imports ${path}`)
    }
  }
  return imports
}

/** Finds the shortest circle through `start` by breadth-first search. Returns `null` if there is none. @param {Map<string, Map<string, string>>} imports @param {string} start */
function findCircle(imports, start) {
  /** @type {string[][]} */
  const paths = [[start]]
  const visited = new Set()
  for (const path of paths) {
    for (const next of imports.get(path.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return path
      if (visited.has(next)) continue
      visited.add(next)
      paths.push([...path, next])
    }
  }
  return null
}

let folders = 0
let circles = 0
const chosen = process.argv.slice(2)
const packages = chosen.length > 0 ? chosen : globSync('{packages,tools}/*', { cwd: ROOT })
for (const name of packages.toSorted()) {
  const imports = readImports(join(ROOT, name, 'src'))
  folders += imports.size
  const reported = new Set()
  for (const start of [...imports.keys()].toSorted()) {
    const circle = reported.has(start) ? null : findCircle(imports, start)
    if (circle === null) continue
    circles++
    for (const folder of circle) reported.add(folder)
    console.error(`${name}/src: ${[...circle, start].join(' -> ')}`)
    for (const [place, folder] of circle.entries())
      console.error(`  ${imports.get(folder)?.get(circle[place + 1] ?? start)}`)
  }
}
if (folders === 0) console.error('there is no folder with a .ts file: nothing was checked')
console.log(`${folders} folders, ${circles} circles`)
process.exitCode = circles === 0 && folders > 0 ? 0 : 1
