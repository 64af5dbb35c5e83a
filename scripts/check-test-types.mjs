// Checks types of what the build leaves out: tests, the programs of packages/train and tools, and the inspector's page. Tests read the
// types of what they test as it was built, so the build comes first.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PROJECTS = [
  // One project for all that runs in Node: 24 of them would read the same declarations 24 times.
  'tsconfig.tests.json',
  'packages/client/tsconfig.test.json',
  'packages/create-keepsake/tsconfig.test.json',
  'packages/inspector/tsconfig.test.json',
  'packages/inspector/tsconfig.json',
]

let failed = 0
for (const project of PROJECTS) {
  const run = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { cwd: ROOT, encoding: 'utf8' })
  if (run.status === 0) continue
  failed++
  console.error(`${project}\n${run.stdout}${run.stderr}`)
}
console.log(`${PROJECTS.length} projects, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
