// The whole check but the tests: types, lint, import rule, format, docs paths, examples, package. Everything runs
// even when something fails; a short table ends it. `node scripts/check.mjs lint format` runs those alone.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const BIN = join(ROOT, 'node_modules', '.bin')
const node = (/** @type {string} */ script) => [process.execPath, join('scripts', script)]
const tool = (/** @type {string} */ name, /** @type {string[]} */ ...args) => [join(BIN, name), ...args]

/** @type {Record<string, string[]>} */
const STEPS = {
  types: tool('tsc', '-b'),
  'test types': node('check-test-types.mjs'),
  lint: tool('oxlint', '--type-aware', '--deny-warnings'),
  'import rule': node('check-import-rule.mjs'),
  folders: node('check-folders.mjs'),
  format: tool('prettier', '--check', '--log-level', 'warn', '.'),
  'docs paths': node('check-docs-paths.mjs'),
  'papers docs': [...node('make-papers-docs.mjs'), '--check'],
  python: node('check-python.mjs'),
  examples: node('check-examples.mjs'),
  package: node(join('package', 'check-package.mjs')),
  dependencies: node('check-dependencies.mjs'),
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in STEPS))
if (unknown.length > 0) {
  console.error(`There is no check "${unknown.join('", "')}". There are: ${Object.keys(STEPS).join(', ')}.`)
  process.exit(2)
}

const env = { ...process.env, PATH: [BIN, process.env['PATH']].join(delimiter) }
/** @type {{ name: string, passed: boolean, seconds: number, last: string }[]} */
const results = []
for (const [name, [command = '', ...args]] of Object.entries(STEPS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const started = performance.now()
  const run = spawnSync(command, args, { cwd: ROOT, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const passed = run.status === 0
  const output = `${run.stdout ?? ''}${run.stderr ?? ''}${run.error?.message ?? ''}`.trimEnd()
  if (!passed) console.log(`--- ${name} ---\n${output}\n`)
  const last = passed ? (output.split('\n').at(-1) ?? '') : ''
  results.push({ name, passed, seconds: (performance.now() - started) / 1000, last })
}
for (const { name, passed, seconds, last } of results) {
  console.log(
    `${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(12)} ${seconds.toFixed(1).padStart(6)} s  ${last}`.trimEnd(),
  )
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1
