import { createRows } from './000001-rows.ts'
import { addImagesAndTallies } from './000002-images-tallies.ts'
import type { Layout } from './layout.ts'

export interface Migration {
  readonly name: string
  /** The statements, without anything bound in them. */
  readonly change: (layout: Layout) => string
}

/** In order; the n-th takes a schema from version n − 1 to n, in one transaction. Never edited once released. */
export const migrations: readonly Migration[] = [
  { name: 'rows', change: createRows },
  { name: 'images-tallies', change: addImagesAndTallies },
]

/** The schema this code reads and writes. */
export const SCHEMA_VERSION = migrations.length
