// Reads the papers' tables and figures from data/papers, and adds to each how it is measured here.
import { readFileSync } from 'node:fs'
import type { Conditions, DataSource, Paper, PaperItem, PaperName, Reproduction } from './paper.ts'

/** How an item is measured here, and the paper's settings. */
export interface ReproductionSpec extends Reproduction {
  readonly settings?: Conditions['settings']
}

interface StoredItem extends Omit<PaperItem, 'data' | 'reproduction'> {
  readonly data?: string
  readonly inPlaceOf?: string
}

interface StoredPaper extends Omit<Paper, 'name' | 'items'> {
  readonly items: readonly StoredItem[]
}

const SOURCES = readStored('data-sources') as Readonly<Record<string, DataSource>>

/** Reads a paper's items from `data/papers/NAME.json`. An item without an entry in `reproductions` cannot be measured here. */
export function readPaper(name: PaperName, reproductions: Readonly<Record<string, ReproductionSpec>>): Paper {
  const { items, ...paper } = readStored(name) as StoredPaper
  const unknown = Object.keys(reproductions).find((id) => items.every((item) => item.id !== id))
  if (unknown !== undefined) throw new RangeError(`The ${name} paper has no ${unknown}.`)
  return { name, ...paper, items: items.map((item) => completeItem(item, reproductions[item.id])) }
}

function completeItem(
  { data, inPlaceOf, ...item }: StoredItem,
  spec: ReproductionSpec | undefined,
): PaperItem {
  const withData = data === undefined ? item : { ...item, data: findSource(data, inPlaceOf) }
  if (spec === undefined) return withData
  const { settings, ...reproduction } = spec
  if (settings === undefined) return { ...withData, reproduction }
  return { ...withData, conditions: { ...item.conditions, settings }, reproduction }
}

/** Finds a data source. `inPlaceOf` is the name of the paper's data that it replaces. */
function findSource(name: string, inPlaceOf: string | undefined): DataSource {
  const source = SOURCES[name]
  if (source === undefined) throw new RangeError(`There is no data source ${name}.`)
  return inPlaceOf === undefined ? source : { ...source, inPlaceOf: findSource(inPlaceOf, undefined) }
}

function readStored(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../data/papers/${name}.json`, import.meta.url), 'utf8'))
}
