import type { ChangeNote } from 'keepsake/store-kit'
import type { Transactions } from './connection/transactions.ts'
import type { Names } from './names.ts'

/** What every step of the store works with. */
export interface Database {
  readonly transactions: Transactions
  readonly names: Names
  readonly schema: string
  /** Under which this process holds claims, and has people at hand. */
  readonly holder: string
  /** Tells the other processes that work was queued, and who has the people at hand whose it is. Nothing where nobody has. */
  readonly tellOfWork: (homes: Iterable<string>) => void
  /** Tells the other processes what was changed. */
  readonly tellOfChanges: (notes: readonly ChangeNote[]) => void
}
