// Runs every program in examples/ in an empty folder, and checks that it exits with 0.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const EXAMPLES = join(ROOT, 'examples')
const LIMIT_MS = 60_000

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

/** Checks that the README's first program equals an example, so that it is run too. @returns the number of failures */
function checkReadme() {
  const [, block = ''] = /```js\n([\s\S]*?)```/.exec(README) ?? []
  const example = readFileSync(join(EXAMPLES, 'ten-lines.ts'), 'utf8').replace(/^\/\/.*\n/, '')
  if (block.trim() === example.trim()) return 0
  console.error(
    'README.md and examples/ten-lines.ts differ: the first program of the README must be that example',
  )
  return 1
}

/** Checks that the README shows the program's output. Dates may differ. @param {string} stdout @returns the number of failures */
function checkShown(stdout) {
  const [, shown = ''] = /```js\n[\s\S]*?```text\n([\s\S]*?)```/.exec(README) ?? []
  const withoutDates = (/** @type {string} */ text) => text.replaceAll(/\d{4}-\d{2}-\d{2}/g, 'DAY')
  if (withoutDates(shown) === withoutDates(stdout)) return 0
  console.error(`README.md shows another output of examples/ten-lines.ts than this:\n${stdout}`)
  return 1
}

const names = existsSync(EXAMPLES) ? readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts')) : []
let failed = names.length === 0 ? 1 : checkReadme()
if (names.length === 0) console.error('there is no examples/*.ts: nothing was checked')
for (const name of names.toSorted()) {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-example-'))
  try {
    const run = spawnSync(process.execPath, [join(EXAMPLES, name)], {
      cwd: folder,
      encoding: 'utf8',
      timeout: LIMIT_MS,
    })
    if (run.status === 0 && name === 'ten-lines.ts') failed += checkShown(run.stdout)
    if (run.status === 0) continue
    failed++
    console.error(`examples/${name} ended with ${run.signal ?? run.status}\n${run.stdout}${run.stderr}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
console.log(`${names.length} examples, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
