// Checks that the Python client is generated from the current OpenAPI document, and checks its types with pyright, which needs no Python.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const STEPS = [
  [join(ROOT, 'clients', 'python', 'scripts', 'generate.mjs'), '--check'],
  [join(ROOT, 'node_modules', 'pyright', 'index.js'), '-p', join(ROOT, 'clients', 'python')],
]

for (const [script = '', ...args] of STEPS) {
  const run = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, encoding: 'utf8' })
  console.log(`${run.stdout ?? ''}${run.stderr ?? ''}`.trimEnd())
  if (run.status !== 0) process.exitCode = 1
}
