import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PaperReport } from './measure-item.ts'
import { findItem, findPaper, PAPERS } from './papers.ts'

/** Number of tables and figures in each paper. */
const NUMBERED = {
  moom: [6, 9],
  comedy: [10, 4],
  mmm: [2, 3],
  lufy: [19, 11],
  halumem: [6, 18],
} as const

describe('the registry', () => {
  it.each(PAPERS)('has every table and figure of $name, each once', ({ name, items }) => {
    const [tables, figures] = NUMBERED[name]
    const numbered = (kind: string, count: number) =>
      Array.from({ length: count }, (_, place) => `${kind} ${place + 1}`)
    const ids = items.map(({ id }) => id)
    expect(ids.filter((id) => /^(table|figure) /.test(id))).toEqual([
      ...numbered('table', tables),
      ...numbered('figure', figures),
    ])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it.each(PAPERS)('has a figure of $name for each column of each row', ({ items }) => {
    for (const { published } of items)
      for (const row of Object.values(published?.rows ?? {}))
        expect(row).toHaveLength(published?.columns.length ?? 0)
  })

  it.each(PAPERS)('says of each item of $name what is needed, and where its data is', ({ items }) => {
    for (const { id, state, note, data, published, reproduction } of items) {
      expect([id, note.endsWith('.')]).toEqual([id, true])
      expect([id, state === 'shows']).toEqual([id, data === undefined])
      if (state === 'shows') expect([published, reproduction]).toEqual([undefined, undefined])
      if (reproduction === undefined) continue
      const { differences } = reproduction
      const told = typeof differences === 'function' ? differences({ path: 'x' }) : differences
      expect(told.length).toBeGreaterThan(0)
    }
  })

  it.each([
    ['lufy', 'table 11', 'differ in forgetting and ranking alone, as in Table 4'],
    ['mmm', 'table 1', 'In equation 11 a round has one.'],
  ])('tells of %s, %s what sets it apart', (paper, id, sentence) => {
    const { differences = [] } = findItem(findPaper(paper), id).reproduction ?? {}
    const told = typeof differences === 'function' ? differences({ path: 'x' }) : differences
    expect(told.join(' ')).toContain(sentence)
  })

  it('names publications and no hosts', () => {
    expect(JSON.stringify(PAPERS)).not.toMatch(/https?:|www\.|\.(com|org|net|io|co)\b/i)
  })
})

const RAW = join(import.meta.dirname, '../../../../docs/benchmarks/raw/papers')

it.each(globSync('*.json', { cwd: RAW }))(
  'the result %s tells every difference that its table tells today',
  (file) => {
    const report = JSON.parse(readFileSync(join(RAW, file), 'utf8')) as PaperReport
    const { differences = [] } = findItem(findPaper(report.paper.name), report.item.id).reproduction ?? {}
    const told = typeof differences === 'function' ? differences({ path: 'x' }) : differences
    expect(report.differences).toEqual(expect.arrayContaining([...told]))
  },
)

describe('docs/papers.md', () => {
  it('has a row for each item of the registry that measures something, and no other', () => {
    const file = join(import.meta.dirname, '../../../../docs/papers.md')
    const sections = readFileSync(file, 'utf8').split(/^## /m).slice(1)
    const told = sections.map((section) => [
      section.split('\n')[0],
      [...section.matchAll(/^\| ((?:table|figure|section|appendix) [\w.]+) /gm)].map(([, id]) => id),
    ])
    expect(told).toEqual(
      PAPERS.map(({ name, items }) => [
        name,
        items.filter(({ state }) => state !== 'shows').map(({ id }) => id),
      ]),
    )
  })
})

describe('findItem', () => {
  const lufy = findPaper('LUFY')

  it.each([
    ['3', 'table 3'],
    ['Table 3', 'table 3'],
    ['figure 11', 'figure 11'],
    ['fig. 8', 'figure 8'],
    ['f8', 'figure 8'],
    ['appendix b', 'appendix B'],
  ])('reads “%s” as %s', (asked, id) => {
    expect(findItem(lufy, asked).id).toBe(id)
  })

  it('lists what there is where there is no such thing', () => {
    expect(() => findItem(lufy, '20')).toThrow(/no “20”\. It has: table 1, .*figure 11/)
    expect(() => findPaper('mem0')).toThrow('There are: moom, comedy, mmm, lufy, halumem.')
  })
})
