// Counts erasures that a file misses, without opening it as a memory.
import { existsSync } from 'node:fs'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { ErasureLedger } from './erasure-ledger.ts'

/**
 * Counts the erasures in a file's ledger that the file itself does not have, as after a restored backup. Changes nothing.
 *
 * @param path the SQLite file
 * @param ledger the file of the ledger; `PATH-erasures` when absent
 * @throws StoreError when the file cannot be read
 * @example
 * if ((await countUnappliedErasures('memory.db')) > 0) console.warn('A backup from before an erasure was put back.')
 */
export async function countUnappliedErasures(path: string, ledger = `${path}-erasures`): Promise<number> {
  if (!existsSync(ledger)) return 0
  const store = await openSqliteStore({ path, readOnly: true })
  try {
    return (await new ErasureLedger(store, ledger, () => {}).listMissed()).length
  } finally {
    await store.close()
  }
}
