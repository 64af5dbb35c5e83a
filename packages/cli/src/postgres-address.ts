import type { Store } from 'keepsake'
import { loadPostgres } from './load-package.ts'

/** Whether `--db` names a database of a server, and no file. */
export function isAddress(db: string): boolean {
  return /^postgres(ql)?:\/\//.test(db)
}

/** What `--db` names, as it may be shown: an address without its password and options. */
export function shownDb(db: string): string {
  if (!isAddress(db) || !URL.canParse(db)) return db
  const url = new URL(db)
  url.password = ''
  url.search = ''
  return url.href
}

/** @param mustExist for commands that only look: makes no tables */
export async function openStoreAt(address: string, mustExist: boolean): Promise<Store> {
  const { openPostgresStore } = await loadPostgres()
  return openPostgresStore({ connectionString: address, mustExist })
}
