import { OptionError } from '../benchmark/options.ts'
import { COMEDY } from './items/comedy.ts'
import { HALUMEM } from './items/halumem.ts'
import { LUFY } from './items/lufy.ts'
import { MMM } from './items/mmm.ts'
import { MOOM } from './items/moom.ts'
import type { Paper, PaperItem } from './registry/paper.ts'

/** The five papers behind presets and harness, with all their tables and figures. */
export const PAPERS: readonly Paper[] = [MOOM, COMEDY, MMM, LUFY, HALUMEM]

/** Finds a paper by name. @throws OptionError listing the existing ones */
export function findPaper(name: string): Paper {
  const paper = PAPERS.find((one) => one.name === name.toLowerCase())
  if (paper !== undefined) return paper
  throw new OptionError(
    `There is no paper “${name}”. There are: ${PAPERS.map((one) => one.name).join(', ')}.`,
  )
}

const NUMBER = /^\d+$/
const NUMBERED_ITEM = /^(t|tab|tables?|f|fig|figures?)\.?\s*(\d+)$/

/** Finds an item by `3`, `table 3`, `figure 8`, `fig 8` or a place such as `appendix B`. @throws OptionError listing the existing ones */
export function findItem(paper: Paper, requested: string): PaperItem {
  const text = requested.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  const [, kind = '', number = ''] = NUMBERED_ITEM.exec(text) ?? []
  let id = text
  if (NUMBER.test(text)) id = `table ${text}`
  else if (number !== '') id = `${kind.startsWith('t') ? 'table' : 'figure'} ${number}`
  const item = paper.items.find((candidate) => candidate.id.toLowerCase() === id)
  if (item !== undefined) return item
  throw new OptionError(
    `The ${paper.name} paper has no “${requested}”. It has: ${paper.items.map((one) => one.id).join(', ')}.`,
  )
}
