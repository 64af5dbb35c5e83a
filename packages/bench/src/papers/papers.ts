import { OptionError } from '../benchmark/options.ts'
import { COMEDY } from './comedy/comedy.ts'
import { HALUMEM_PAPER } from './halumem/halumem.ts'
import { LUFY } from './lufy/lufy.ts'
import { MMM } from './mmm/mmm.ts'
import { MOOM } from './moom/moom.ts'
import type { Paper, PaperItem } from './registry/paper.ts'

/** The five papers, with every table and figure of each. */
export const PAPERS: readonly Paper[] = [MOOM, COMEDY, MMM, LUFY, HALUMEM_PAPER]

/**
 * A paper by its name.
 *
 * @throws OptionError listing those there are
 */
export function findPaper(name: string): Paper {
  const paper = PAPERS.find((one) => one.name === name.toLowerCase())
  if (paper !== undefined) return paper
  throw new OptionError(
    `There is no paper “${name}”. There are: ${PAPERS.map((one) => one.name).join(', ')}.`,
  )
}

const NUMBER = /^\d+$/
const SHORT = /^(t|tab|tables?|f|fig|figures?)\.?\s*(\d+)$/

/**
 * One of its tables or figures: `3` and `table 3` are the table, `figure 8` and `fig 8` the figure, `appendix B` what
 * the text alone tells.
 *
 * @throws OptionError listing those there are
 */
export function findItem(paper: Paper, asked: string): PaperItem {
  const text = asked.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const [, kind = '', number = ''] = SHORT.exec(text) ?? []
  const id = NUMBER.test(text)
    ? `table ${text}`
    : number === ''
      ? text
      : `${kind.startsWith('t') ? 'table' : 'figure'} ${number}`
  const item = paper.items.find((one) => one.id.toLowerCase() === id)
  if (item !== undefined) return item
  throw new OptionError(
    `The ${paper.name} paper has no “${asked}”. It has: ${paper.items.map((one) => one.id).join(', ')}.`,
  )
}
