/**
 * What a custom store needs: the port, the contract as cases for any test runner, sample requests, and the rules that every store shares;
 * for a database that speaks SQL, the store itself. docs/stores.md says what to implement, in which order.
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
export { erasedId } from './store/sql/encode-rows.ts'
export { makeHolder, stateOfHolder, type ProcessHolder } from './store/process-holder.ts'

export type { ScopeRow, StoredScopeKey } from './scopes/scope.ts'
export type { MemoryChange, NewOperation, Operation, Tally, MemoryRef } from './memories/operation.ts'
export { MEMORY_STATUSES, type Memory, type MemoryStatus, type Origin } from './memories/memory.ts'
export type { Turn } from './turns/turn.ts'

export { applyOperation, changeFromBlank, memoryFromBlank, projectLog } from './memories/apply-operation.ts'
export { joinTallies } from './memories/tally.ts'
export { turnsQuoted } from './memories/turns-quoted.ts'
export { matchesMetadata, type MetadataFilter } from './metadata/metadata-filter.ts'
export type { Metadata } from './metadata/metadata.ts'
export {
  migrateStore,
  type Migrated,
  type MigrateOptions,
  type MoveRecord,
} from './transfer/migrate-store.ts'
export type { MovedNumbers } from './transfer/moved-numbers.ts'

export { ClosedError } from './errors/closed-error.ts'
export { InvalidInputError } from '@keepsake/text'
export { NotFoundError } from './errors/not-found-error.ts'
export { NotPossibleError } from './errors/not-possible-error.ts'
export { StoreError, type StoreErrorCode } from './errors/store-error.ts'
export { TurnConflictError } from './errors/turn-conflict-error.ts'
