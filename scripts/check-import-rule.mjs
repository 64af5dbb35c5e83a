// Tests the import rules of .oxlintrc.json, which allow imports between packages in one direction only. Writes files with one import each to a
// folder with the repository's layout, lints it with the repository's configuration, and checks which files are refused.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** @type {readonly { file: string, imports: string, refused: boolean }[]} */
const CASES = [
  { file: 'packages/cli/src/a.ts', imports: 'keepsake', refused: false },
  { file: 'packages/cli/src/b.ts', imports: 'keepsake/dist/memory.js', refused: true },
  { file: 'packages/cli/src/commands/c.ts', imports: '../../../keepsake/src/memory.ts', refused: true },
  { file: 'packages/bench/src/d.ts', imports: '@keepsake/cli', refused: true },
  { file: 'packages/bench/src/d2.ts', imports: 'keepsake/preset', refused: false },
  { file: 'packages/bench/src/d9.ts', imports: '@keepsake/bench-generators', refused: true },
  { file: 'packages/bench-generators/src/d10.ts', imports: '@keepsake/bench/parts', refused: false },
  { file: 'packages/bench-generators/src/d11.ts', imports: 'keepsake/dist/memory.js', refused: true },
  {
    file: 'packages/bench-http-peers/src/d12.ts',
    imports: '../../bench-generators/src/draw.ts',
    refused: true,
  },
  { file: 'packages/cli/src/d13.ts', imports: '@keepsake/bench-http-peers', refused: false },
  { file: 'packages/importing/src/d18.ts', imports: 'keepsake/dist/memory.js', refused: true },
  { file: 'packages/importing/src/d19.ts', imports: 'keepsake', refused: false },
  { file: 'packages/papers/src/moom/d23.ts', imports: 'keepsake/preset', refused: false },
  { file: 'packages/papers/src/moom/d24.ts', imports: '../../../keepsake/src/memory.ts', refused: true },
  { file: 'packages/text/src/d20.ts', imports: 'keepsake', refused: true },
  { file: 'packages/text/src/d21.ts', imports: 'node:fs', refused: true },
  { file: 'packages/keepsake/src/recall/d22.ts', imports: '@keepsake/text', refused: false },
  { file: 'packages/search/src/d23.ts', imports: '@keepsake/text', refused: true },
  { file: 'packages/keepsake/src/recall/d24.ts', imports: '@keepsake/search', refused: false },
  { file: 'packages/models/src/d3.ts', imports: 'keepsake/dist/memory.js', refused: true },
  { file: 'packages/models/src/d4.ts', imports: 'keepsake', refused: false },
  { file: 'packages/server/src/d5.ts', imports: 'keepsake/dist/memory.js', refused: true },
  { file: 'packages/server/src/d6.ts', imports: '@keepsake/cli', refused: true },
  { file: 'packages/server/src/d7.ts', imports: 'keepsake', refused: false },
  { file: 'packages/inspector/src/page/d14.tsx', imports: 'keepsake', refused: true },
  { file: 'packages/inspector/src/page/d15.ts', imports: '@keepsake/server', refused: true },
  { file: 'packages/inspector/src/page/d16.tsx', imports: '@keepsake/client', refused: false },
  { file: 'packages/inspector/src/page/d17.ts', imports: 'node:fs', refused: true },
  { file: 'examples/d8.ts', imports: '@keepsake/client', refused: false },
  { file: 'packages/train/src/e.ts', imports: '../../cli/src/index.ts', refused: true },
  { file: 'packages/keepsake/src/memory.ts', imports: './store/sqlite/open-sqlite-store.ts', refused: false },
  { file: 'packages/keepsake/src/recall/f.ts', imports: '@keepsake/bench', refused: true },
  { file: 'packages/keepsake/src/forget/policies/g.ts', imports: '../../memories/memory.ts', refused: false },
  { file: 'packages/keepsake/src/forget/policies/h.ts', imports: '../../memory.ts', refused: true },
  { file: 'packages/keepsake/src/forget/policies/i.ts', imports: 'node:fs', refused: true },
  { file: 'packages/keepsake/src/forget/policies/i.test.ts', imports: 'node:fs', refused: false },
  {
    file: 'packages/keepsake/src/retrieval/j.ts',
    imports: '../store/sqlite/open-sqlite-store.ts',
    refused: true,
  },
  { file: 'packages/keepsake/src/retrieval/k.ts', imports: '../store/store.ts', refused: false },
  {
    file: 'packages/keepsake/src/persona/l.ts',
    imports: '../models/adapters/transformers.ts',
    refused: true,
  },
  { file: 'packages/keepsake/src/store/sqlite/m.ts', imports: '../../retrieval/bm25.ts', refused: true },
  { file: 'packages/keepsake/src/store/sqlite/n.ts', imports: 'node:fs', refused: false },
]

const folder = mkdtempSync(join(tmpdir(), 'keepsake-import-rule-'))
try {
  copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  for (const testCase of CASES) {
    mkdirSync(dirname(join(folder, testCase.file)), { recursive: true })
    writeFileSync(join(folder, testCase.file), `export * from '${testCase.imports}'\n`)
  }
  const run = spawnSync(join(ROOT, 'node_modules', '.bin', 'oxlint'), ['--format', 'unix'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (run.error) throw run.error
  const lines = run.stdout.split('\n').filter((line) => line.includes('no-restricted-imports'))
  const wrong = CASES.filter(
    ({ file, refused }) => lines.some((line) => line.startsWith(`${file}:`)) !== refused,
  )
  for (const { file, imports, refused } of wrong) {
    console.error(
      `${file} imports '${imports}': should be ${refused ? 'refused, and passes' : 'allowed, and is refused'}`,
    )
  }
  if (lines.length === 0) console.error(run.stdout, run.stderr)
  console.log(`${CASES.length} imports, ${CASES.length - wrong.length} allowed or refused as they should be`)
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
