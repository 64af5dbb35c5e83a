import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'
import { FOLDERS, GUIDES, PACKAGES } from '../scripts/contents.mjs'

const PAGES = join(import.meta.dirname, '..', 'pages')

/** @param {string} path */
const item = (path) => ({ text: titleOf(path), link: `/${path}` })

/** Returns the title of a page. @param {string} path */
function titleOf(path) {
  const title = /^# (.+)$/m.exec(readFileSync(join(PAGES, `${path}.md`), 'utf8'))?.[1]
  return (title ?? basename(path)).replaceAll('`', '')
}

/** @param {string} folder */
const pagesIn = (folder) =>
  globSync('*.md', { cwd: join(PAGES, folder) })
    .map((file) => `${folder}/${basename(file, '.md')}`)
    .sort()

const guides = [
  ...GUIDES.map(({ text, pages }) => ({ text, items: pages.map(item) })),
  ...Object.entries(FOLDERS).map(([folder, text]) => ({
    text,
    collapsed: true,
    items: pagesIn(folder).map(item),
  })),
  { text: 'Project', items: ['changelog', 'contributing', 'security-policy'].map(item) },
]
const reference = [
  { text: 'REST', items: [{ text: 'Routes', link: '/rest' }] },
  { text: 'Calls', items: PACKAGES.map((name) => ({ text: nameOf(name), link: `/api/${name}/` })) },
]

/** @param {string} folder */
function nameOf(folder) {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, '..', '..', 'packages', folder, 'package.json'), 'utf8'),
  ).name
}

export default defineConfig({
  title: 'Keepsake',
  description: 'Long-term memory for conversational AI.',
  srcDir: 'pages',
  outDir: 'dist',
  // Makes the anchors of headings as GitHub does, so that links to headings work on the site and in the repository.
  markdown: { anchor: { slugify: (text) => slug(text) } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guides', link: '/quickstart' },
      { text: 'Calls', link: '/api/keepsake/' },
      { text: 'REST', link: '/rest' },
      { text: 'Benchmarks', link: '/benchmarks/README' },
    ],
    sidebar: { '/api/': reference, '/rest': reference, '/': guides },
    outline: [2, 3],
  },
})
