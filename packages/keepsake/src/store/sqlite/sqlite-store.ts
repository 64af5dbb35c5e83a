// Defines the options and additional methods of a store in a SQLite file.
import type { Store } from '../store.ts'

/** Opens a file with another driver, such as one that encrypts. Must return an object like `better-sqlite3`'s `Database`. */
export type ConnectSqlite = (
  path: string,
  options: { readonly readonly: boolean; readonly fileMustExist: boolean; readonly timeout: number },
) => unknown

export interface OpenSqliteStoreOptions {
  /** A file, created when missing (its folder must exist), or `:memory:`. */
  readonly path: string
  /** `full` (default): writes survive a power failure. `normal`: they survive the process, but the last few may be lost. */
  readonly synchronous?: 'full' | 'normal' | undefined
  /** How long a call waits for another process's write, in milliseconds. 5,000 by default. */
  readonly busyTimeoutMs?: number | undefined
  /** Opens an existing file for reading: every change is refused. */
  readonly readOnly?: boolean | undefined
  readonly connect?: ConnectSqlite | undefined
  /** The clock of leases, expiry and receipts. */
  readonly now?: () => number
}

/** A store in a SQLite file, with backups. */
export interface SqliteStore extends Store {
  /** Writes a consistent copy to another file while the store is in use. @throws StoreError if that file exists */
  backup(path: string): Promise<void>
  listBackups(): Promise<BackupNote[]>
}

/** A backup that was made from this store. Whether its file still exists is not known. */
export interface BackupNote {
  readonly path: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Number of erasures after the backup: the backup may still contain what they removed. */
  readonly erasedSince: number
}
