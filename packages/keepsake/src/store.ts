/**
 * The API for custom stores: the port, test cases for any test runner, sample requests, and functions that every store needs. A SQL database
 * needs only a dialect. docs/stores.md describes what to implement. Tools can examine, restore or migrate a store that no memory has open.
 */
export { storeContract, type StoreCase, type StoreUnderTest } from './store/contract/store-contract.ts'
export * as samples from './store/contract/samples.ts'
export type * from './store/store.ts'

export { makeSqlStore } from './store/sql/sql-store.ts'
export type { Access, SqlDatabase, Wall } from './store/sql/sql-database.ts'
export {
  createTables,
  LARGE_TABLES,
  USER_TABLES,
  type TableDialect,
  type Tables,
} from './store/sql/tables.ts'
export {
  APPLICATION_ID as SQLITE_APPLICATION_ID,
  MIGRATIONS as SQLITE_MIGRATIONS,
  requireSchema as requireSqliteSchema,
  SCHEMA_VERSION as SQLITE_SCHEMA_VERSION,
} from './store/sqlite/migrations.ts'
export {
  isBusy as isSqliteBusy,
  translateError as translateSqliteError,
} from './store/sqlite/translate-error.ts'
export { escapeNul, unescapeNul } from './store/sql/escape-nul.ts'
export { hideUser, isErasedName, namesUser } from './scopes/erased-name.ts'
export { erasedId } from './store/sql/encode-rows.ts'
export { makeHolder, stateOfHolder, type ProcessHolder } from './store/process-holder.ts'

export type { StoredScopeKey } from './scopes/scope.ts'
export type { MemoryChange, MemoryRef, NewOperation, OperationPayload, Tally } from './memories/operation.ts'
export type { Origin } from './memories/memory.ts'
export type { StoreErrorCode } from './errors/errors.ts'

export {
  applyOperation,
  changeFromBlank,
  memoryFromBlank,
  projectLog,
  turnsQuoted,
  joinTallies,
} from './memories/apply-operation.ts'
export { readMetadata } from '@keepsake/text/names'
export { matchesMetadata, readMetadataFilter } from './metadata/metadata-filter.ts'
export { CONSENTS, readConsent, writeConsent } from './consent/consent.ts'

export type {
  BackupNote,
  ConnectSqlite,
  OpenSqliteStoreOptions,
  SqliteStore,
} from './store/sqlite/sqlite-store.ts'
export {
  CHECKS,
  examineFile,
  type Check,
  type Examined,
  type ExamineOptions,
  type Finding,
} from './store/sqlite/examine-file.ts'
export {
  restoreBackup,
  type RestoredBackup,
  type RestoreBackupOptions,
} from './store/sqlite/restore-backup.ts'
export { joinNotes } from './inspect/follow-changes.ts'
export { countUnappliedErasures } from './ledger/count-unapplied.ts'
export {
  migrateStore,
  type Migrated,
  type MigrateOptions,
  type MoveRecord,
  type MovedNumbers,
} from './transfer/migrate-store.ts'
