import { globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const PAGES = globSync('packages/papers/src/*/README.md', { cwd: ROOT }).toSorted()
/** A file in backticks, and the names in it that follow in brackets. */
const FILE = /`([\w@.*-]+(?:\/[\w@.*-]+)+\/?|[\w@.*-]+\.(?:ts|json)|[\w-]+\/)`(?: \(([^)]*)\))?/g
const LINK = /\]\(([^)#]+)(#[^)]+)?\)/g

/** Where a path may start: the page's folder, the engine (`engine/`), the tables, the packages, the repository. */
function findFiles(page: string, path: string): string[] {
  const wanted = path.replace(/^engine\//, 'keepsake/src/').replace(/\/$/, '')
  for (const start of [dirname(page), 'packages/bench/src/papers', 'packages', '.']) {
    const found = globSync(wanted, { cwd: join(ROOT, start) })
    if (found.length > 0) return found.map((file) => join(ROOT, start, file))
  }
  return []
}

describe.each(PAGES)('the page %s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')

  it('names files that exist, and what is in them', () => {
    const files = [...text.matchAll(FILE)].map(([, path = '', names = '']) => {
      const found = findFiles(page, path)
      const code = found.map((file) => (statSync(file).isFile() ? readFileSync(file, 'utf8') : '')).join('')
      const absent = [...names.matchAll(/`([A-Za-z]\w*)/g)].flatMap(([, name = '']) =>
        code.includes(name) ? [] : [name],
      )
      return { path, isThere: found.length > 0, absent }
    })
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter(({ isThere, absent }) => !isThere || absent.length > 0)).toEqual([])
  })

  it('links to pages and headings that exist', () => {
    for (const [, path = '', heading = ''] of text.matchAll(LINK)) {
      if (path.startsWith('http')) continue
      const linked = readFileSync(join(ROOT, dirname(page), path), 'utf8')
      const headings = [...linked.matchAll(/^#+ (.+)$/gm)].map(
        ([, title = '']) => `#${title.toLowerCase().replaceAll(' ', '-')}`,
      )
      if (heading !== '') expect(headings).toContain(heading)
    }
  })
})
