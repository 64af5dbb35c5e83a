// Builds the documentation site: guides and benchmarks from docs/, calls from the packages' docstrings (TypeDoc), routes from the server's
// description. `npm run site` builds it into site/dist, and fails for a broken link or an export without a description.
// `npm run site -- --serve` also shows it.
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hasLockedPackages } from '../scripts/setup-steps.mjs'
import { PACKAGES } from './scripts/contents.mjs'
import { makePages } from './scripts/make-pages.mjs'

const SITE = dirname(fileURLToPath(import.meta.url))
const ROOT = dirname(SITE)
const PAGES = join(SITE, 'pages')
/** Minimum of links. If fewer are found, pages are missing. */
const MIN_LINKS = 500

/** @param {string} command @param {string[]} args */
async function run(command, args) {
  const started = promisify(execFile)(command, args, { cwd: SITE, maxBuffer: 64 * 1024 * 1024 })
  await started.catch(({ stdout = '', stderr = '', message }) => {
    // The message names the command.
    console.error(`${stdout}${stderr}${message}`.trimEnd())
    process.exit(1)
  })
}

/** Checks links to pages and headings of the site, and returns their number. Links to other hosts are not checked. */
async function checkLinks() {
  const { LinkChecker, LinkState } = await import('linkinator')
  const { links } = await new LinkChecker().check({
    path: join(SITE, 'dist') + '/',
    recurse: true,
    checkFragments: true,
    linksToSkip: ['^https?://(?!localhost|127\\.0\\.0\\.1)'],
  })
  const broken = links.filter(({ state }) => state === LinkState.BROKEN)
  for (const { parent, url } of broken)
    console.error(`${pathOf(parent)} links to ${pathOf(url)}, which is not there`)
  const validCount = links.filter(({ state }) => state === LinkState.OK).length
  if (validCount < MIN_LINKS)
    console.error(`only ${validCount} links were found: the pages cannot all be there`)
  if (broken.length > 0 || validCount < MIN_LINKS) process.exit(1)
  return validCount
}

/** @param {string} [url] */
const pathOf = (url = '') => url.replace(/^https?:\/\/[^/]+/, '')

/** Returns the source file of a package's main entry, or those of all its entries if it has no main one. @param {string} folder */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const entries = '.' in exports ? [exports['.']] : Object.values(exports)
  return entries.flatMap(({ types = '' }) =>
    types === '' ? [] : [join(folder, types.replace('/dist/', '/src/').replace(/\.d\.ts$/, '.ts'))],
  )
}

/** Writes the pages of a package's calls. @param {string} name */
async function describePackage(name) {
  const folder = join(ROOT, 'packages', name)
  await run(bin('typedoc'), [
    '--options',
    join(SITE, 'typedoc.json'),
    '--tsconfig',
    join(folder, 'tsconfig.json'),
    ...entriesOf(folder).flatMap((file) => ['--entryPoints', file]),
    '--out',
    join(PAGES, 'api', name),
    // These types are generated from the server's description.
    ...(name === 'client' ? ['components', 'operations'] : []).flatMap((type) => [
      '--intentionallyNotDocumented',
      type,
    ]),
  ])
}

const bin = (/** @type {string} */ name) => join(SITE, 'node_modules', '.bin', name)
// `npm ci` refuses this lock file, in which nested packages for other platforms have no addresses. `npm install` also installs locked versions.
if (!hasLockedPackages(SITE))
  await run('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'])
const count = makePages(ROOT, PAGES)
// TypeDoc uses one core, so each core describes the next package until none is left.
const remaining = PACKAGES.values()
const describePackages = async () => {
  for (const name of remaining) await describePackage(name)
}
await Promise.all(Array.from({ length: availableParallelism() }, describePackages))
await run(bin('vitepress'), ['build'])
const links = await checkLinks()
console.log(
  `${count} pages, ${PACKAGES.length} packages' calls and the REST routes in site/dist; ${links} links lead somewhere`,
)
if (process.argv.includes('--serve'))
  spawnSync(bin('vitepress'), ['preview'], { cwd: SITE, stdio: 'inherit' })
