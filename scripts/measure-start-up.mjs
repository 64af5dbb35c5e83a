// Measures the processor time of a start of the built packages: `node scripts/measure-start-up.mjs [OTHER_CHECKOUT] [--rounds 9]`. Each figure is
// the median of several processes. Two checkouts run alternately, so that other load on the machine affects both.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '9' } },
  allowPositionals: true,
})
const checkouts = [...positionals.map((path) => resolve(path)), ROOT]

/** A program that uses the library for the first time and prints the processor time of each step. */
const FIRST_USE = `
  let last = 0
  const seconds = {}
  const mark = (step) => {
    const { user, system } = process.cpuUsage()
    seconds[step] = (user + system) / 1000 - last
    last += seconds[step]
  }
  mark('Node')
  const { openMemory } = await import('keepsake')
  mark('import')
  const keepsake = await openMemory({ path: ':memory:' })
  mark('openMemory')
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember({ role: 'user', text: 'My sister Mia is allergic to peanuts.' })
  mark('first remember')
  await ana.recall('What can Mia not eat?')
  mark('first recall')
  await ana.recall('What did I say yesterday?')
  mark('first recall of a time')
  seconds['sum without Node'] = last - seconds.Node
  console.log(JSON.stringify(seconds))
  await keepsake.close()`

/** Measures a process together with its child processes. @param {string[]} command @returns {number} milliseconds */
function processorTime(command) {
  const timed = ['-c', 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null', ...command]
  const { stderr } = spawnSync('bash', timed, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
  const [user = NaN, system = NaN] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  return (user + system) * 1000
}

/** @param {string} root @param {string} folder @returns {Record<string, number>} */
function measureOnce(root, folder) {
  return { ...library(root), ...commands(root, folder) }
}

/** @param {string} root @returns {Record<string, number>} */
function library(root) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', FIRST_USE], {
    cwd: join(root, 'packages', 'cli'),
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** @param {string} root @param {string} folder @returns {Record<string, number>} */
function commands(root, folder) {
  const keepsake = join(root, 'packages', 'cli', 'bin', 'keepsake.mjs')
  const db = join(folder, `${checkouts.indexOf(root)}.db`)
  const on = ['--user', 'maya', '--db', db]
  if (!existsSync(db))
    processorTime([process.execPath, keepsake, 'import', join(folder, 'talk.jsonl'), ...on])
  const time = (/** @type {string[]} */ ...argv) => processorTime([process.execPath, keepsake, ...argv])
  return {
    'keepsake --version': time('--version'),
    'keepsake --help': time('--help'),
    'keepsake recall --help': time('recall', '--help'),
    'keepsake recall': time('recall', 'Where do I live?', ...on),
  }
}

/** @param {number[]} numbers */
const median = (numbers) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? NaN

const folder = mkdtempSync(join(tmpdir(), 'keepsake-start-up-'))
try {
  const turn = { role: 'user', text: 'I moved to Lyon in May.', at: '2026-01-05T10:00:00Z' }
  writeFileSync(join(folder, 'talk.jsonl'), `${JSON.stringify(turn)}\n`)
  const rounds = Array.from({ length: Number(values.rounds) }, () =>
    checkouts.map((root) => measureOnce(root, folder)),
  )
  const steps = Object.keys(rounds[0]?.[0] ?? {})
  console.log(
    `Node ${process.versions.node}, ${rounds.length} rounds, load ${loadavg()[0]?.toFixed(1)}; milliseconds of processor time`,
  )
  for (const step of steps) {
    const medians = checkouts.map((_, at) => median(rounds.map((round) => round[at]?.[step] ?? NaN)))
    console.log(step.padEnd(24), ...medians.map((figure) => figure.toFixed(0).padStart(6)))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
