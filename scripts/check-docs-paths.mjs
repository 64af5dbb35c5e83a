// Checks that every path in code marks or links of some pages exists, such as `packages/keepsake/src/memory.ts` or `read/rank.ts`.
// A path is relative to the repository or to the engine's src. `*` matches any name, and `@keepsake/x` is a package.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const BASES = [ROOT, join(ROOT, 'packages', 'keepsake', 'src')]
const FILES = ['docs/architecture.md', 'docs/security.md']
const PATH = /^(?:\.{0,2}\/)?[\w@.*-]+(?:\/[\w@.*-]*)+$|^[\w-]+\.(?:ts|mjs|md|json)$/

const PACKAGES = new Set(
  globSync('packages/*/package.json', { cwd: ROOT }).map(
    (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')).name,
  ),
)

/** @param {string} path */
const exists = (path) =>
  PACKAGES.has(path) ||
  BASES.some((base) =>
    path.includes('*') ? globSync(path, { cwd: base }).length > 0 : existsSync(join(base, path)),
  )

let named = 0
let missing = 0
for (const file of FILES) {
  if (!existsSync(join(ROOT, file))) {
    console.error(`${file} is missing`)
    missing++
    continue
  }
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    const quoted = [...line.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
    const linked = [...line.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) =>
      join(dirname(file), match[1] ?? ''),
    )
    for (const path of [...quoted.filter((text) => PATH.test(text)), ...linked]) {
      named++
      if (exists(path)) continue
      missing++
      console.error(`${file}:${index + 1} names ${path}, which does not exist`)
    }
  }
}
if (named === 0) {
  console.error(`no path was found in ${FILES.join(', ')}: nothing was checked`)
  missing++
}
console.log(`${named} paths named, ${missing} missing`)
process.exitCode = missing === 0 ? 0 : 1
