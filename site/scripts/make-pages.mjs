// Copies docs/ and the README, which is the first page, to the folder from which the site is built. Links to pages of the site are adapted;
// a link to a file that only the repository has becomes its name.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { FOLDERS, GUIDES } from './contents.mjs'

/** Matches a relative link of Markdown, or an image: label, path and anchor. */
const LINK = /(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)\s#]+)(#[^)\s]*)?\)/g
/** Pages outside docs/, by their path on the site. */
const EXTRA = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security-policy.md',
}

/** @param {string} root the repository @param {string} pages the folder to fill */
export function makePages(root, pages) {
  rmSync(pages, { recursive: true, force: true })
  const placeOf = placesIn(root)
  requireListed(root)
  for (const [file, place] of placeOf) {
    const target = join(pages, place)
    mkdirSync(dirname(target), { recursive: true })
    if (extname(file) !== '.md') cpSync(join(root, file), target)
    else writeFileSync(target, withLinks(root, file, place, placeOf))
  }
  cpSync(join(import.meta.dirname, 'rest.md'), join(pages, 'rest.md'))
  return [...placeOf.values()].filter((place) => place.endsWith('.md')).length
}

/** Maps files of the repository to their places on the site. @param {string} root */
function placesIn(root) {
  /** @type {Map<string, string>} */
  const placeOf = new Map(Object.entries(EXTRA))
  for (const path of globSync('**/*.{md,svg,png}', { cwd: join(root, 'docs') }))
    placeOf.set(join('docs', path), path)
  for (const path of globSync('packages/*/README.md', { cwd: root }))
    placeOf.set(path, join('packages', `${basename(dirname(path))}.md`))
  return placeOf
}

/** Checks that the menu lists each page of docs/ and only existing folders. @param {string} root */
function requireListed(root) {
  const listed = new Set(GUIDES.flatMap(({ pages }) => pages))
  const unlisted = globSync('*.md', { cwd: join(root, 'docs') })
    .map((file) => basename(file, '.md'))
    .filter((page) => !listed.has(page))
  if (unlisted.length > 0)
    throw new Error(
      `docs/${unlisted.join('.md, docs/')}.md: say in site/scripts/contents.mjs where it stands in the menu`,
    )
  const unknown = Object.keys(FOLDERS).filter((folder) => !existsSync(join(root, 'docs', folder)))
  if (unknown.length > 0)
    throw new Error(
      `docs/${unknown.join(', docs/')} is listed in site/scripts/contents.mjs, and is not there`,
    )
}

/** Returns the text of a page with adapted links. @param {string} root @param {string} file @param {string} place @param {Map<string, string>} placeOf */
function withLinks(root, file, place, placeOf) {
  const text = readFileSync(join(root, file), 'utf8')
  return text.replaceAll(LINK, (...found) => {
    const [, image = '', label = '', path = '', anchor = ''] = /** @type {string[]} */ (found)
    const target = relative(root, resolve(root, dirname(file), path))
    if (!existsSync(join(root, target))) throw new Error(`${file} links to ${path}, which does not exist`)
    const targetPlace = placeOf.get(target)
    if (targetPlace === undefined)
      return target.includes(label.replaceAll('`', '')) ? `\`${target}\`` : `${label} (\`${target}\`)`
    const link = relative(dirname(place), targetPlace)
    return `${image}[${label}](${link.startsWith('.') ? link : `./${link}`}${anchor})`
  })
}
