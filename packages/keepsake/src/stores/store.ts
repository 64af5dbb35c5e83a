import type { Candidates } from './candidates.ts'
import type { Images } from './images.ts'
import type { Jobs } from './jobs.ts'
import type { Maintenance } from './maintenance.ts'
import type { Records } from './records.ts'
import type { Rows } from './rows.ts'

/**
 * The port behind which everything is kept, in parts that can be written and tested one after another (docs/stores.md).
 * What any store must do is told by `keepsake/store-kit`, as types and as tests.
 *
 * Glossary: an *owner* is a (tenant, user) pair. Its *revision* rises with every change; rows carry the
 * revision that last wrote them, so that a cache can ask for what is newer than it has seen. Its *epoch*
 * rises when content was removed (erased): a cache of an older epoch must be dropped whole.
 *
 * Errors: {@link StoreError} with a code; what was acknowledged before stays safe, the failed call changed nothing.
 */
export interface Store extends Rows, Images, Jobs, Records, Maintenance {
  /** Answers for people who are too large to be read whole. Absent where the store cannot search: they are read whole then. */
  readonly candidates?: Candidates
}

export type * from './candidates.ts'
export type * from './images.ts'
export type * from './jobs.ts'
export type * from './maintenance.ts'
export type * from './records.ts'
export type * from './rows.ts'
