import type { Store } from '../store.ts'
import type { CaseSetup, StoreCases } from './cases.ts'
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

/** Functions that open the store under test. */
export interface StoreUnderTest {
  /** Opens a new, empty store each time. The case closes it. */
  open(): Promise<Store>
  /** Opens the rows of an open store a second time, as another process would. Absent if the store cannot be opened twice. */
  openAgain?(store: Store): Promise<Store>
}

/** One test case that every store must pass. */
export interface StoreCase {
  /** The part of the port and the title of the case: `turns: returns every character of a turn`. */
  readonly name: string
  /** The reason why the case cannot run with this store; absent if it can. */
  readonly skip?: string
  /** Opens stores, runs the case and closes the stores. Rejects with an `AssertionError` if the case fails. */
  readonly run: () => Promise<void>
}

/** The order in which to write a store: each part needs the parts before it. */
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
 * Returns the test cases that every store must pass, for any test runner. All texts are well-formed Unicode, because the engine
 * applies `toWellFormed`. The store must return every character unchanged, NUL included.
 *
 * @example
 * import { test } from 'node:test'
 * import { storeContract } from 'keepsake/store'
 * for (const { name, skip, run } of storeContract({ open: openMyStore })) test(name, { skip }, run)
 */
export function storeContract(options: StoreUnderTest): readonly StoreCase[] {
  return PARTS.flatMap(({ part, needsOpenAgain = false, cases }) =>
    Object.entries(cases).map(([title, check]): StoreCase => {
      const name = `${part}: ${title}`
      const run = (): Promise<void> => runCase(options, check)
      if (needsOpenAgain && options.openAgain === undefined)
        return { name, run, skip: 'this store cannot be opened twice' }
      return { name, run }
    }),
  )
}

async function runCase(options: StoreUnderTest, check: (setup: CaseSetup) => Promise<void>): Promise<void> {
  const opened: Store[] = []
  const closeLater = (store: Store): Store => {
    opened.push(store)
    return store
  }
  try {
    const store = closeLater(await options.open())
    const openAgain = async (): Promise<Store> => {
      if (options.openAgain === undefined) throw new Error('This store cannot be opened twice.')
      return closeLater(await options.openAgain(store))
    }
    const ada = await store.ensureScope(ADA)
    await check({ store, ada, open: async () => closeLater(await options.open()), openAgain })
  } finally {
    for (const store of opened.toReversed()) await store.close()
  }
}
