// Checks dependencies that are installed with the packages for known vulnerabilities, with npm audit. Ignores development dependencies.
// Without network the check prints that it was skipped, and passes.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const TIMEOUT_MS = 30_000
/** Levels with which the check fails. It only prints the others. */
const FAILING = ['high', 'critical']

const run = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: ROOT,
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
  maxBuffer: 64 * 1024 * 1024,
})

/** @returns {{ metadata?: { vulnerabilities: Record<string, number> }, vulnerabilities?: Record<string, { severity: string }>, message?: string, error?: { summary?: string } } | null} */
function readReport() {
  try {
    return JSON.parse(run.stdout)
  } catch {
    return null
  }
}

const report = readReport()
const counts = report?.metadata?.vulnerabilities
if (counts === undefined) {
  const why = run.error?.message ?? report?.message ?? report?.error?.summary ?? 'the registry gave no answer'
  console.log(`skipped: ${why.split('\n')[0]}`)
} else {
  const failing = Object.entries(report?.vulnerabilities ?? {}).filter(([, { severity }]) =>
    FAILING.includes(severity),
  )
  for (const [name, { severity }] of failing) console.error(`${name}: ${severity}; see "npm audit"`)
  const counted = Object.entries(counts).filter(([level, count]) => level !== 'total' && count > 0)
  console.log(counted.map(([level, count]) => `${count} ${level}`).join(', ') || 'no known holes')
  process.exitCode = failing.length === 0 ? 0 : 1
}
