import { existsSync } from 'node:fs'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { ErasureLedger } from './erasure-ledger.ts'

/**
 * How many erasures a file's ledger knows of that the file has not heard of. Changes nothing.
 *
 * @param path the SQLite file
 * @param ledger where its erasures are entered; `PATH-erasures` when absent
 * @throws StoreError when the file cannot be read
 * @example
 * if ((await countUnappliedErasures('memory.db')) > 0) console.warn('A backup from before an erasure was put back.')
 */
export async function countUnappliedErasures(path: string, ledger = `${path}-erasures`): Promise<number> {
  if (!existsSync(ledger)) return 0
  const store = await openSqliteStore({ path, readOnly: true })
  try {
    return (await new ErasureLedger(store, ledger, () => {}).unheard()).length
  } finally {
    await store.close()
  }
}
