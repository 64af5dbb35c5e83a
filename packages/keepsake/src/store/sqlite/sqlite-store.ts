// Defines the options and additional methods of a store in a SQLite file.
import type { Store } from '../store.ts'

/** Opens a file in SQLite's stead, e.g. with a driver that encrypts it. Must return what `better-sqlite3` returns. */
export type ConnectSqlite = (
  path: string,
  options: { readonly readonly: boolean; readonly fileMustExist: boolean; readonly timeout: number },
) => unknown

export interface OpenSqliteStoreOptions {
  /** A file, created when missing (its folder must exist), or `:memory:`. */
  readonly path: string
  /**
   * `full` (the default): what was acknowledged survives a power failure. `normal`: it survives the end of the process, and
   * a power failure may take the last few writes.
   */
  readonly synchronous?: 'full' | 'normal'
  /** How long a call waits for another process's write, in milliseconds. 5,000 by default. */
  readonly busyTimeoutMs?: number
  /** Opens an existing file for reading: every change is refused. */
  readonly readOnly?: boolean
  readonly connect?: ConnectSqlite
  /** The clock of leases, expiry and receipts. */
  readonly now?: () => number
}

/** A store in a SQLite file, with what only a file can do. */
export interface SqliteStore extends Store {
  /** A consistent copy in another file, while in use. @throws StoreError when that file exists */
  backup(path: string): Promise<void>
  /** Backups that were made, oldest first, with how many erasures each does not include. */
  listBackups(): Promise<BackupNote[]>
}

/** A backup that was made from this store. Whether its file still exists is not known. */
export interface BackupNote {
  readonly path: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Erasures since: what they removed here may still be in it. */
  readonly erasedSince: number
}
