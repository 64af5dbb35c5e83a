// Reads the papers' tables and figures from data/papers, and adds to each how it is measured here.
import { readFileSync } from 'node:fs'
import type { Conditions, DataSource, Paper, PaperItem, PaperName, Reproduction } from './paper.ts'

/** How an item is measured here, and the paper's settings where they differ by row. */
export interface Measuring extends Reproduction {
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

/** Reads a paper's items from `data/papers/NAME.json`. Items that are not `measured` cannot be measured here. */
export function readPaper(name: PaperName, measured: Readonly<Record<string, Measuring>>): Paper {
  const { items, ...paper } = readStored(name) as StoredPaper
  const unknown = Object.keys(measured).find((id) => items.every((item) => item.id !== id))
  if (unknown !== undefined) throw new RangeError(`The ${name} paper has no ${unknown}.`)
  return { name, ...paper, items: items.map((item) => completeItem(item, measured[item.id])) }
}

function completeItem({ data, inPlaceOf, ...item }: StoredItem, measuring: Measuring | undefined): PaperItem {
  const { settings, ...reproduction } = measuring ?? {}
  return {
    ...item,
    ...(data !== undefined && { data: findSource(data, inPlaceOf) }),
    ...(settings !== undefined && { conditions: { ...item.conditions, settings } }),
    ...(measuring !== undefined && { reproduction: reproduction as Reproduction }),
  }
}

function findSource(name: string, inPlaceOf: string | undefined): DataSource {
  const source = SOURCES[name]
  if (source === undefined) throw new RangeError(`There is no data source ${name}.`)
  return inPlaceOf === undefined ? source : { ...source, inPlaceOf: findSource(inPlaceOf, undefined) }
}

function readStored(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../data/papers/${name}.json`, import.meta.url), 'utf8'))
}
