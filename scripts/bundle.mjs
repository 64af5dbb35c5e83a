// Bundles the built modules of the packages that every program loads into a few files each: finding, reading and linking hundreds of
// small modules takes longer than all that they do. Other packages stay imports. `npm run build` runs it after `tsc -b`; `--check`
// writes nothing and fails when a bundle is of other modules.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What each package exports. A bundle is as deep below its package as the modules that name `data/`. */
const PACKAGES = [
  { name: 'text', to: 'bundle', entries: ['index.js', 'names.js'] },
  { name: 'search', to: 'bundle', entries: ['index.js'] },
  {
    name: 'keepsake',
    to: join('bundle', 'node'),
    entries: ['index.js', 'preset.js', 'model.js', 'store.js', 'opentelemetry.js'],
  },
]

/** Hashes every built module, this script and the version of esbuild. @param {string} dist */
function hashModules(dist) {
  const hash = createHash('sha256')
  const modules = globSync('**/*.js', { cwd: dist, exclude: ['bundle', 'bundle/**'] }).toSorted()
  const others = [fileURLToPath(import.meta.url), join(ROOT, 'package.json')]
  for (const file of [...modules.map((module) => join(dist, module)), ...others])
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** Writes beside the old bundle and then replaces it, so that a program that loads it meanwhile finds one of the two. */
async function bundle(
  /** @type {typeof PACKAGES[number]} */ { name, to, entries },
  /** @type {string} */ madeFrom,
) {
  const { build } = await import('esbuild')
  const dist = join(ROOT, 'packages', name, 'dist')
  const fresh = join(dist, `${to}-${process.pid}`)
  await build({
    entryPoints: entries.map((entry) => ({
      in: join(dist, entry),
      out: (entry.split('/').at(-1) ?? entry).slice(0, -'.js'.length),
    })),
    outdir: fresh,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Else esbuild writes /\p{…}/u as `new RegExp`, which is compiled at every call. Node reads it since version 10.
    supported: { 'regexp-unicode-property-escapes': true },
    packages: 'external',
    absWorkingDir: join(ROOT, 'packages', name),
    logLevel: 'warning',
  })
  writeFileSync(join(fresh, '.made-from'), madeFrom)
  rmSync(join(dist, to), { recursive: true, force: true })
  renameSync(fresh, join(dist, to))
}

for (const one of PACKAGES) {
  const dist = join(ROOT, 'packages', one.name, 'dist')
  const madeFrom = hashModules(dist)
  const written = join(dist, one.to, '.made-from')
  if (existsSync(written) && readFileSync(written, 'utf8') === madeFrom) continue
  if (!process.argv.includes('--check')) await bundle(one, madeFrom)
  else {
    console.error(`The bundle of packages/${one.name} is of other modules: npm run build`)
    process.exitCode = 1
  }
}
