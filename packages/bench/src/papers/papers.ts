import { OptionError } from '../benchmark/options.ts'
import { COMEDY } from './items/comedy.ts'
import { HALUMEM } from './items/halumem.ts'
import { LUFY } from './items/lufy.ts'
import { MMM } from './items/mmm.ts'
import { MOOM } from './items/moom.ts'
import type { Paper, PaperItem } from './registry/paper.ts'

/** The five papers, with every table and figure of each. */
export const PAPERS: readonly Paper[] = [MOOM, COMEDY, MMM, LUFY, HALUMEM]

/**
 * Finds a paper by name.
 *
 * @throws OptionError listing the existing ones
 */
export function findPaper(name: string): Paper {
  const paper = PAPERS.find((one) => one.name === name.toLowerCase())
  if (paper !== undefined) return paper
  throw new OptionError(
    `There is no paper “${name}”. There are: ${PAPERS.map((one) => one.name).join(', ')}.`,
  )
}

const NUMBER = /^\d+$/
const NUMBERED_ITEM = /^(t|tab|tables?|f|fig|figures?)\.?\s*(\d+)$/

/**
 * Finds a table or figure: `3` and `table 3`, `figure 8` and `fig 8`, or `appendix B` for figures in the text alone.
 *
 * @throws OptionError listing the existing ones
 */
export function findItem(paper: Paper, requested: string): PaperItem {
  const text = requested.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const [, kind = '', number = ''] = NUMBERED_ITEM.exec(text) ?? []
  const id = NUMBER.test(text)
    ? `table ${text}`
    : number === ''
      ? text
      : `${kind.startsWith('t') ? 'table' : 'figure'} ${number}`
  const item = paper.items.find((one) => one.id.toLowerCase() === id)
  if (item !== undefined) return item
  throw new OptionError(
    `The ${paper.name} paper has no “${requested}”. It has: ${paper.items.map((one) => one.id).join(', ')}.`,
  )
}
