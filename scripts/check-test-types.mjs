// Types of what the build leaves out: tests, the programs of packages/train and tools, and the inspector's page. Tests read the
// types of what they test as it was built, so the build comes first.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const PROJECTS = [
  'keepsake',
  'text',
  'search',
  'models',
  'papers',
  'importing',
  'postgres',
  'libsql',
  'browser',
  'server',
  'mem0-compat',
  'client',
  'ai-sdk',
  'langchain',
  'agent-sdks',
  'bench',
  'bench-generators',
  'bench-http-peers',
  'cli',
  'create-keepsake',
  'inspector',
].map((name) => `packages/${name}/tsconfig.test.json`)
/** What no build step reads types of. */
const PROGRAMS = [
  'packages/train/tsconfig.test.json',
  'tools/data/tsconfig.json',
  'packages/inspector/tsconfig.json',
  'tools/golden/tsconfig.json',
  'tools/perf/tsconfig.test.json',
]

let failed = 0
for (const project of [...PROJECTS, ...PROGRAMS]) {
  const run = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', project], { cwd: ROOT, encoding: 'utf8' })
  if (run.status === 0) continue
  failed++
  console.error(`${project}\n${run.stdout}${run.stderr}`)
}
console.log(`${PROJECTS.length + PROGRAMS.length} projects, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
