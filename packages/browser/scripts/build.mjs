// Bundles the engine for a page, with replacements for the Node modules that it imports. It does nothing if no source changed.
// `--check` only reports whether the bundle is current.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OUT = join(ROOT, 'dist', 'bundle')
const HASH_FILE = join(OUT, '.made-from')

/** Replacements of modules, by the names under which the engine and its dependencies import them. @type {Record<string, string>} */
const REPLACEMENTS = {
  'better-sqlite3': 'node/fs.ts',
  crypto: 'node/crypto.ts',
  events: fileURLToPath(import.meta.resolve('events/events.js')),
  fs: 'node/fs.ts',
  'fs/promises': 'node/fs.ts',
  os: 'node/small.ts',
  path: 'node/small.ts',
  process: 'node/small.ts',
  readline: 'node/fs.ts',
  'timers/promises': 'node/small.ts',
  url: 'node/small.ts',
  util: 'node/small.ts',
  zlib: 'node/small.ts',
}

function hashSources() {
  const hash = createHash('sha256')
  const sources = globSync(['src/**/*.ts', 'scripts/build.mjs'], { cwd: ROOT }).toSorted()
  const bundles = ['text/dist/bundle', 'search/dist/bundle', 'keepsake/dist/bundle/node'].map(
    (folder) => `../${folder}/.made-from`,
  )
  for (const file of [...sources, ...bundles, '../../package-lock.json'])
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

/** Collects the licences of the bundled packages, and the notices of the tables. @param {string[]} inputs */
function licencesOf(inputs) {
  const inPackage = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/
  const folders = new Set(inputs.flatMap((file) => inPackage.exec(file)?.[0] ?? []))
  const texts = [...folders].toSorted().flatMap((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
    const files = globSync('{LICENSE,LICENCE,license}*', { cwd: join(ROOT, folder) })
    return [
      `${name} ${version}: ${license}`,
      ...files.map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
    ]
  })
  const notices = ['text', 'keepsake'].map((name) =>
    readFileSync(join(ROOT, '..', name, 'NOTICE.md'), 'utf8'),
  )
  return [...notices, ...texts].join('\n\n')
}

const hash = hashSources()
const isCurrent = existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash
if (process.argv.includes('--check')) {
  if (!isCurrent) console.error('packages/browser/dist/bundle is not of its sources: npm run build')
  process.exitCode = isCurrent ? 0 : 1
} else if (!isCurrent) {
  const { build } = await import('esbuild')
  rmSync(OUT, { recursive: true, force: true })
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: ROOT,
    entryPoints: { keepsake: join(ROOT, 'src', 'index.ts') },
    outdir: OUT,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    chunkNames: 'parts/[name]-[hash]',
    inject: [join(ROOT, 'src', 'node', 'globals.ts')],
    // SQLite starts workers only for files, which a page does not have. Bundlers would look for the workers' sources.
    define: { Worker: 'undefined' },
    logLevel: 'error',
    plugins: [
      {
        name: 'node',
        setup: (bundler) =>
          bundler.onResolve(
            { filter: new RegExp(`^(node:)?(${Object.keys(REPLACEMENTS).join('|')})$`) },
            ({ path }) => ({
              path: resolve(ROOT, 'src', REPLACEMENTS[path.replace('node:', '')] ?? ''),
            }),
          ),
      },
    ],
  })
  for (const name of ['text', 'keepsake'])
    cpSync(join(ROOT, '..', name, 'data'), join(OUT, 'data'), { recursive: true })
  cpSync(
    fileURLToPath(import.meta.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')),
    join(OUT, 'parts', 'sqlite3.wasm'),
  )
  writeFileSync(join(OUT, 'LICENSES.txt'), licencesOf(Object.keys(metafile.inputs)))
  writeFileSync(HASH_FILE, hash)
}
