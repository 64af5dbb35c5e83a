// Puts the engine's built modules together into a few files, `dist/bundle/node`, which is what `import 'keepsake'` loads: finding, reading
// and linking 600 small modules takes longer than all that they do. Types, names and what is thrown stay; other packages are imported as
// ever. `npm run build` runs it after `tsc -b`; `--check` writes nothing, and fails when what stands there is of other modules.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
// As deep below the package as the modules that name `../../../data`, and flat, as threads are looked for beside who starts them.
const BUNDLE = join(DIST, 'bundle', 'node')
const MADE_FROM = join(BUNDLE, '.made-from')

/** What applications import, and what is started as a thread. What several of them need lies in chunks that they share. */
const ENTRIES = [
  'index.js',
  'names.js',
  'parts.js',
  'store-kit.js',
  'opentelemetry.js',
  'stores/sqlite/checkpoint-worker.js',
  'stores/sqlite/import-worker.js',
  'stores/sqlite/scrub/scrub-worker.js',
]

/** Of every built module, this script and the version of what puts them together. */
function hashModules() {
  const hash = createHash('sha256')
  const modules = globSync('**/*.js', { cwd: DIST, exclude: ['bundle', 'bundle/**'] }).toSorted()
  const others = [fileURLToPath(import.meta.url), join(ROOT, '..', '..', 'package.json')]
  for (const file of [...modules.map((module) => join(DIST, module)), ...others])
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** Beside the old one and then in its place, so that whoever loads it meanwhile finds the old or the new. @param {string} madeFrom */
async function bundle(madeFrom) {
  const { build } = await import('esbuild')
  const fresh = `${BUNDLE}-${process.pid}`
  await build({
    entryPoints: ENTRIES.map((entry) => ({
      in: join(DIST, entry),
      out: entry.split('/').at(-1).slice(0, -'.js'.length),
    })),
    outdir: fresh,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    // Each module's part begins with its name, by which profiles and people find it.
    absWorkingDir: ROOT,
    logLevel: 'warning',
  })
  writeFileSync(join(fresh, '.made-from'), madeFrom)
  rmSync(BUNDLE, { recursive: true, force: true })
  renameSync(fresh, BUNDLE)
}

const madeFrom = hashModules()
const isCurrent = existsSync(MADE_FROM) && readFileSync(MADE_FROM, 'utf8') === madeFrom
if (process.argv.includes('--check')) {
  if (!isCurrent) {
    console.error('packages/keepsake/dist/bundle is not of the modules beside it: npm run build')
    process.exitCode = 1
  }
} else if (!isCurrent) await bundle(madeFrom)
