// Checks the line budgets of house style: source lines without tests, per package. Raising a ceiling takes a reason beside it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const SOURCE = /\.(ts|tsx|mjs|js|py|css|wat)$/
const NOT_SOURCE = /\.(test|spec)\.|(^|\/)(test|testing|fixtures?|contract)\/|-fixtures?\.|\.d\.ts$/

/** Ceilings in lines, longest path first where folders are nested. @type {Record<string, number>} */
const BUDGETS = {
  'packages/keepsake': 24_000,
}

/** @param {string} file */
const lines = (file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1

const folders = Object.keys(BUDGETS).toSorted((one, other) => other.length - one.length)
/** @type {Map<string, { files: number, lines: number }>} */
const sizes = new Map()
for (const file of execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')) {
  if (!SOURCE.test(file) || NOT_SOURCE.test(file)) continue
  const folder = folders.find((one) => file.startsWith(`${one}/`)) ?? 'others'
  const size = sizes.get(folder) ?? { files: 0, lines: 0 }
  sizes.set(folder, { files: size.files + 1, lines: size.lines + lines(file) })
}

let total = 0
for (const [folder, size] of [...sizes].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
  total += size.lines
  const budget = BUDGETS[folder]
  const isOver = budget !== undefined && size.lines > budget
  if (isOver) process.exitCode = 1
  console.log(
    `${folder.padEnd(32)} ${String(size.files).padStart(5)} files ${String(size.lines).padStart(7)} lines${budget === undefined ? '' : ` of ${budget}`}${isOver ? '  OVER BUDGET' : ''}`,
  )
}
console.log(`${total} lines in all`)
