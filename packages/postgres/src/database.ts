import type { Transactions } from './connection/transactions.ts'
import type { Names } from './names.ts'

/** What every step of the store works with. */
export interface Database {
  readonly transactions: Transactions
  readonly names: Names
  readonly schema: string
  /** Tells the other processes that work was queued. */
  readonly tellOfWork: () => void
}
