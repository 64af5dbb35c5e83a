// The documentation as a site: guides and benchmarks from docs/, calls from the packages' docstrings (TypeDoc), routes from the server's
// description. `npm run site` builds it into site/dist, and fails when a link leads nowhere or an export has no description.
// `npm run site -- --serve` shows it.
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
/** A checker that found fewer links was looking at nothing. */
const FEWEST = 500

/** @param {string} command @param {string[]} args */
async function run(command, args) {
  const started = promisify(execFile)(command, args, { cwd: SITE, maxBuffer: 64 * 1024 * 1024 })
  await started.catch(({ stdout = '', stderr = '', message }) => {
    // The message names the command.
    console.error(`${stdout}${stderr}${message}`.trimEnd())
    process.exit(1)
  })
}

/** Pages and headings; other hosts are not asked. */
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
  const fine = links.filter(({ state }) => state === LinkState.OK).length
  if (fine < FEWEST) console.error(`only ${fine} links were found: the pages cannot all be there`)
  if (broken.length > 0 || fine < FEWEST) process.exit(1)
  return fine
}

/** @param {string} [url] */
const pathOf = (url = '') => url.replace(/^https?:\/\/[^/]+/, '')

/** The source of a package's main entry, or of all that it exports. @param {string} folder */
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
    // Types that are generated from the server's description.
    ...(name === 'client' ? ['components', 'operations'] : []).flatMap((type) => [
      '--intentionallyNotDocumented',
      type,
    ]),
  ])
}

const bin = (/** @type {string} */ name) => join(SITE, 'node_modules', '.bin', name)
// `npm ci` refuses a lock that names no addresses where packages for other platforms are nested; `install` takes what is locked.
if (!hasLockedPackages(SITE))
  await run('npm', ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'])
const count = makePages(ROOT, PAGES)
// The lanes share an iterator. TypeDoc uses one core.
const waiting = PACKAGES.values()
const describePackages = async () => {
  for (const name of waiting) await describePackage(name)
}
await Promise.all(Array.from({ length: availableParallelism() }, describePackages))
await run(bin('vitepress'), ['build'])
const links = await checkLinks()
console.log(
  `${count} pages, ${PACKAGES.length} packages' calls and the REST routes in site/dist; ${links} links lead somewhere`,
)
if (process.argv.includes('--serve'))
  spawnSync(bin('vitepress'), ['preview'], { cwd: SITE, stdio: 'inherit' })
