import type { Store } from '../store.ts'
import type { Given, StoreCases } from './cases.ts'
import { claimCases } from './claim-cases.ts'
import { commitCases } from './commit-cases.ts'
import { eraseCases } from './erase-cases.ts'
import { exportCases } from './export-cases.ts'
import { jobCases } from './job-cases.ts'
import { listCases } from './list-cases.ts'
import { loadCases, usageCases } from './load-cases.ts'
import { logCases } from './log-cases.ts'
import { metadataCases } from './metadata-cases.ts'
import { recordCases } from './record-cases.ts'
import { ADA } from './samples.ts'
import { scopeCases } from './scope-cases.ts'
import { turnCases } from './turn-cases.ts'

/** A store as the contract opens it. */
export interface StoreUnderTest {
  /** Opens a new, empty store each time. The case closes it. */
  open(): Promise<Store>
  /** Opens the rows of an open store once more, as another process would. Absent where that cannot be. */
  openAgain?(store: Store): Promise<Store>
}

/** One thing that any store must do. */
export interface StoreCase {
  /** The part of the port that it is about, and what it says: `turns: gives back every character of a turn`. */
  readonly name: string
  /** Why it cannot be run with this store; absent when it can. */
  readonly skip?: string
  /** Opens, tries and closes. Rejects with an `AssertionError` when the store does otherwise. */
  readonly run: () => Promise<void>
}

/** In the order in which a store is best written: each rests on those before. */
const PARTS: readonly StoreCases[] = [
  scopeCases,
  turnCases,
  commitCases,
  logCases,
  metadataCases,
  listCases,
  loadCases,
  usageCases,
  jobCases,
  ...claimCases,
  ...recordCases,
  eraseCases,
  exportCases,
]

/**
 * What any store must do, whatever keeps its rows, as cases for any test runner. Texts given to a store are well-formed
 * Unicode (the engine sees to it with `toWellFormed`); apart from that every character comes back, NUL included.
 *
 * @example
 * import { test } from 'node:test'
 * import { storeContract } from 'keepsake/store'
 * for (const { name, skip, run } of storeContract({ open: openMyStore })) test(name, { skip }, run)
 */
export function storeContract(under: StoreUnderTest): readonly StoreCase[] {
  return PARTS.flatMap(({ part, needsTwo = false, cases }) =>
    Object.entries(cases).map(([says, check]): StoreCase => {
      const name = `${part}: ${says}`
      const run = (): Promise<void> => runCase(under, check)
      if (needsTwo && under.openAgain === undefined)
        return { name, run, skip: 'this store cannot be opened twice' }
      return { name, run }
    }),
  )
}

async function runCase(under: StoreUnderTest, check: (given: Given) => Promise<void>): Promise<void> {
  const opened: Store[] = []
  const keep = (store: Store): Store => {
    opened.push(store)
    return store
  }
  try {
    const store = keep(await under.open())
    const openAgain = async (): Promise<Store> => {
      if (under.openAgain === undefined) throw new Error('This store cannot be opened twice.')
      return keep(await under.openAgain(store))
    }
    const ada = await store.ensureScope(ADA)
    await check({ store, ada, open: async () => keep(await under.open()), openAgain })
  } finally {
    for (const store of opened.toReversed()) await store.close()
  }
}
