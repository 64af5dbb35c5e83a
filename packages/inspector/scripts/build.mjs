// Builds the page into dist/page when its sources changed. `--check` builds nothing, and fails when it is outdated.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HASH_FILE = join(ROOT, 'dist', 'page', '.made-from')

/** Hashes everything that the page is built from: its own sources, the client’s, and installed versions. */
function hashSources() {
  const hash = createHash('sha256')
  const own = ['src/page/**/*.{ts,tsx,json,css,html,svg}', 'vite.config.mjs', 'scripts/build.mjs']
  const others = ['../client/src/*.ts', '../../package-lock.json']
  for (const file of [...own, ...others].flatMap((glob) => globSync(glob, { cwd: ROOT })).toSorted()) {
    if (/\.test\.tsx?$/.test(file)) continue
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

const hash = hashSources()
const isCurrent = existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash
if (process.argv.includes('--check')) {
  if (!isCurrent) {
    console.error('packages/inspector/dist/page is outdated: npm run build')
    process.exitCode = 1
  }
} else if (!isCurrent) {
  const { build } = await import('vite')
  await build({ configFile: join(ROOT, 'vite.config.mjs'), logLevel: 'error' })
  // Compressed files, which the server sends to browsers that accept them.
  for (const file of globSync('dist/page/{*.html,assets/*}', { cwd: ROOT })) {
    const bytes = readFileSync(join(ROOT, file))
    writeFileSync(join(ROOT, `${file}.br`), brotliCompressSync(bytes))
    writeFileSync(join(ROOT, `${file}.gz`), gzipSync(bytes, { level: 9 }))
  }
  writeFileSync(HASH_FILE, hash)
}
