// Bundles the built modules of the packages that every program loads into a few files each, because Node needs long to find, read and link
// hundreds of small modules. Other packages stay imports. `npm run build` runs it after `tsc -b`. `--check` writes nothing and fails if a
// bundle was built from other modules.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compactClasses } from './compact-classes.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The entry points of each package. A bundle lies as deep as the modules of its package that read `data/` by a relative path. */
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
  const others = ['scripts/bundle.mjs', 'scripts/compact-classes.mjs', 'package.json'].map((file) =>
    join(ROOT, file),
  )
  for (const file of [...modules.map((module) => join(dist, module)), ...others])
    hash.update(file.slice(ROOT.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** Bundles a package into a new folder and then replaces the old one, so that a program that starts meanwhile finds a complete bundle. */
async function bundle(
  /** @type {typeof PACKAGES[number]} */ { name, to, entries },
  /** @type {string} */ modulesHash,
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
    // Without this, esbuild writes /\p{…}/u as `new RegExp`, which is compiled at every call.
    supported: { 'regexp-unicode-property-escapes': true },
    packages: 'external',
    absWorkingDir: join(ROOT, 'packages', name),
    logLevel: 'warning',
  })
  for (const file of globSync(join(fresh, '*.js')))
    writeFileSync(file, compactClasses(readFileSync(file, 'utf8')))
  writeFileSync(join(fresh, '.made-from'), modulesHash)
  rmSync(join(dist, to), { recursive: true, force: true })
  renameSync(fresh, join(dist, to))
}

for (const entry of PACKAGES) {
  const dist = join(ROOT, 'packages', entry.name, 'dist')
  const modulesHash = hashModules(dist)
  const hashFile = join(dist, entry.to, '.made-from')
  if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === modulesHash) continue
  if (!process.argv.includes('--check')) await bundle(entry, modulesHash)
  else {
    console.error(`The bundle of packages/${entry.name} is outdated: npm run build`)
    process.exitCode = 1
  }
}
