// `npm run pack` writes a tarball of every package, as it would be published, and the Python client's wheel to `tarballs/` or another folder.
// It prints the command that installs them in another project, which is how unpublished versions are used.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Lists the published packages, each after its dependencies. @returns {{ name: string, folder: string }[]} */
export function publishedPackages() {
  /** @type {{ references: { path: string }[] }} */
  const { references } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  return references.flatMap(({ path }) => {
    const folder = join(ROOT, path.replace(/\/tsconfig\.build\.json$/, ''))
    const { name, private: isPrivate = false } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    return isPrivate ? [] : [{ name, folder }]
  })
}

/**
 * Packs packages in one run of npm.
 * @template {{ name: string, folder: string }} Entry
 * @param {Entry[]} packages with names and source folders
 * @param {string} to the folder for the tarballs
 * @returns {(Entry & { tarball: string })[]} the packages with their tarballs
 */
export function packInto(packages, to) {
  const run = spawnSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', to, ...packages.map(({ folder }) => folder)],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (run.status !== 0) throw new Error(`npm pack failed:\n${run.stderr}`)
  /** @type {{ name: string, filename: string }[]} */
  const report = Object.values(JSON.parse(run.stdout))
  return packages.map((entry) => {
    const packed = report.find(({ name }) => name === entry.name)
    if (packed === undefined) throw new Error(`npm pack reported no ${entry.name}:\n${run.stdout}`)
    return { ...entry, tarball: join(to, packed.filename) }
  })
}

/** Builds the Python client's wheel into a folder. Returns `null` if there is no Python 3.11 or newer. @param {string} to @returns {string | null} */
export function packWheel(to) {
  const isRecent = ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']
  const python = ['python3', '/usr/bin/python3', 'python'].find(
    (command) => spawnSync(command, isRecent).status === 0,
  )
  if (python === undefined) return null
  const script = join(ROOT, 'clients', 'python', 'scripts', 'make_wheel.py')
  const run = spawnSync(python, [script, to], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`${script} failed:\n${run.stderr}`)
  return run.stdout.trim()
}

/** Deletes and rebuilds everything, so that no tarball contains files of older builds. */
function rebuild() {
  for (const { folder } of publishedPackages()) rmSync(join(folder, 'dist'), { recursive: true, force: true })
  const run = spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, encoding: 'utf8' })
  if (run.status !== 0) throw new Error(`npm run build failed:\n${run.stdout}${run.stderr}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [target = join(ROOT, 'tarballs')] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  const to = resolve(target)
  // Tests pack the existing build, since other tests use it at the same time.
  if (!process.argv.includes('--as-built')) rebuild()
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  const packed = packInto(publishedPackages(), to)
  for (const { name, tarball } of packed)
    console.log(`${name.padEnd(28)} ${relative(process.cwd(), tarball)}`)
  const wheel = packWheel(to)
  const client =
    wheel === null ? 'left out: there is no Python 3.11 or newer' : relative(process.cwd(), wheel)
  console.log(`${'keepsake-client (Python)'.padEnd(28)} ${client}`)
  const wanted = [
    'keepsake',
    '@keepsake/search',
    '@keepsake/text',
    '@keepsake/importing',
    '@keepsake/models',
    '@keepsake/papers',
    '@keepsake/inspector',
    '@keepsake/server',
    '@keepsake/mem0-compat',
    '@keepsake/cli',
  ]
  const line = packed.filter(({ name }) => wanted.includes(name)).map(({ tarball }) => tarball)
  console.log(`\nThe library and the command line, in a project of yours:\n  npm install ${line.join(' ')}`)
}
