// `npm run raise-versions` raises all packages to the version of the changesets. It also updates other files that name the version: the template
// of `npm create keepsake`, the quickstarts, the pages that name tarballs, and the Python client.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from './pack.mjs'

/** The files that name the version. The second group of each expression matches the version. */
const PLACES = [
  ['packages/create-keepsake/template/package.json', /("(?:@keepsake\/[\w-]+|keepsake)": "\^)([^"]+)/g],
  ['examples/quickstart-*/package.json', /("(?:@keepsake\/[\w-]+|keepsake)": "\^)([^"]+)/g],
  [
    '{docs/*,examples/quickstart-*/README,packages/*/README}.md',
    /(keepsake(?:-[a-z-]+)?-)(\d[\w.-]*)(?=\.tgz)/g,
  ],
  ['clients/python/pyproject.toml', /^(version = ")([^"]+)/gm],
]

/** @param {string} root @returns {{ file: string, pattern: RegExp }[]} */
function places(root) {
  return PLACES.flatMap(([files, pattern]) =>
    globSync(String(files), { cwd: root }).map((file) => ({
      file,
      pattern: /** @type {RegExp} */ (pattern),
    })),
  )
}

/** Reads the version of all packages. @param {string} root @returns {string} */
export function currentVersion(root) {
  return JSON.parse(readFileSync(join(root, 'packages', 'keepsake', 'package.json'), 'utf8')).version
}

/** Lists places whose version differs from that of the packages. @param {string} root @returns {string[]} */
export function staleVersions(root) {
  const current = currentVersion(root)
  return places(root).flatMap(({ file, pattern }) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(pattern)]
      .filter(([, , version]) => version !== current)
      .map(([text]) => `${file} names ${text}, and the packages are ${current}`),
  )
}

/** Writes the packages' version to every place. @param {string} root */
export function nameCurrentVersion(root) {
  const current = currentVersion(root)
  for (const { file, pattern } of places(root)) {
    const path = join(root, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll(pattern, `$1${current}`))
  }
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  run(process.execPath, [join(ROOT, 'node_modules', '@changesets', 'cli', 'bin.js'), 'version'])
  nameCurrentVersion(ROOT)
  if (existsSync(join(ROOT, 'package-lock.json')))
    run('npm', ['install', '--package-lock-only', '--ignore-scripts'])
}
