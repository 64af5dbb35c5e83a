import { createRows } from './000001-rows.ts'
import { addImagesAndTallies } from './000002-images-tallies.ts'
import { mendTimes, repairTimes } from './000003-plausible-times.ts'
import { addHomes } from './000004-homes.ts'
import { addCandidates } from './000005-candidates.ts'
import type { Session } from '../connection/session.ts'
import type { Layout } from './layout.ts'

export interface Migration {
  readonly name: string
  /** The statements, without anything bound in them. */
  readonly change: (layout: Layout) => string
  /** What statements alone cannot do, after them in the same transaction. */
  readonly mend?: (session: Session) => Promise<void>
}

/** In order; the n-th takes a schema from version n − 1 to n, in one transaction. Never edited once released. */
export const migrations: readonly Migration[] = [
  { name: 'rows', change: createRows },
  { name: 'images-tallies', change: addImagesAndTallies },
  { name: 'plausible-times', change: repairTimes, mend: mendTimes },
  { name: 'homes', change: addHomes },
  { name: 'candidates', change: addCandidates },
]

/** The schema this code reads and writes. */
export const SCHEMA_VERSION = migrations.length
