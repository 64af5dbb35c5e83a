// Checks the types of files that the build does not compile: tests, the programs of packages/train and tools, and the inspector's page. The
// build must run before, since tests read the declarations that it writes.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PROJECTS = [
  // One project contains all tests that run in Node. With a project per package, each would read the same declarations again.
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
