// Runs all checks except the tests: types, lint, import rule, unused files and exports, size, words, format, docs paths, examples, package. A failing
// step does not stop the others. Prints a table at the end. `node scripts/check.mjs lint format` runs only those steps.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const BIN = join(ROOT, 'node_modules', '.bin')
const node = (/** @type {string} */ script) => [process.execPath, join('scripts', script)]
const tool = (/** @type {string} */ name, /** @type {string[]} */ ...args) => [join(BIN, name), ...args]

/** @type {Record<string, string[]>} */
const STEPS = {
  types: tool('tsc', '-b'),
  bundle: [process.execPath, join('scripts', 'bundle.mjs')],
  'test types': node('check-test-types.mjs'),
  lint: tool('oxlint', '--type-aware', '--deny-warnings'),
  'import rule': node('check-import-rule.mjs'),
  folders: node('check-folders.mjs'),
  unused: tool('knip', '--include', 'files,exports,types', '--no-progress', '--no-config-hints'),
  size: node('check-size.mjs'),
  words: node('check-words.mjs'),
  format: tool('prettier', '--check', '--log-level', 'warn', '.'),
  'docs paths': node('check-docs-paths.mjs'),
  'papers docs': [...node('make-papers-docs.mjs'), '--check'],
  python: node('check-python.mjs'),
  examples: node('check-examples.mjs'),
  package: node(join('package', 'check-package.mjs')),
  dependencies: node('check-dependencies.mjs'),
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in STEPS))
if (unknown.length > 0) {
  console.error(`There is no check "${unknown.join('", "')}". There are: ${Object.keys(STEPS).join(', ')}.`)
  process.exit(2)
}

const env = { ...process.env, PATH: [BIN, process.env['PATH']].join(delimiter) }

/** @typedef {{ name: string, passed: boolean, seconds: number, last: string }} Outcome */

/** @param {string} name @param {string[]} command @returns {Promise<Outcome>} */
async function runStep(name, [command = '', ...args]) {
  const started = performance.now()
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [code, ...printed] = await Promise.all([
    new Promise((resolve) => child.on('close', resolve).on('error', (error) => resolve(error.message))),
    text(child.stdout),
    text(child.stderr),
  ])
  const passed = code === 0
  const output = `${printed.join('')}${typeof code === 'string' ? code : ''}`.trimEnd()
  if (!passed) console.log(`--- ${name} ---\n${output}\n`)
  const last = passed ? (output.split('\n').at(-1) ?? '') : ''
  return { name, passed, seconds: (performance.now() - started) / 1000, last }
}

const names = Object.keys(STEPS).filter((name) => chosen.length === 0 || chosen.includes(name))
/** @type {Map<string, Outcome>} */
const outcomes = new Map()

/** Runs steps, at most `concurrency` at the same time. @param {string[]} waiting */
async function runSteps(waiting, concurrency = 1) {
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      outcomes.set(name, await runStep(name, STEPS[name] ?? []))
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

/** Reports whether a step builds. Builds run first, since other steps read their output. */
const isBuild = (/** @type {string} */ name) => name === 'types' || name === 'bundle'
/** The longest steps, which start first so that none of them runs alone at the end. */
const LONGEST = ['format', 'package', 'lint', 'examples']
const rank = (/** @type {string} */ name) => (LONGEST.includes(name) ? LONGEST.indexOf(name) : LONGEST.length)
await runSteps(names.filter(isBuild))
await runSteps(
  names.filter((name) => !isBuild(name)).toSorted((left, right) => rank(left) - rank(right)),
  availableParallelism(),
)

const results = names.flatMap((name) => outcomes.get(name) ?? [])
for (const { name, passed, seconds, last } of results) {
  console.log(
    `${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s  ${last}`.trimEnd(),
  )
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1
