/**
 * What a custom store needs: the port, the contract as cases for any test runner, sample requests, and the rules that every store shares.
 * docs/stores.md says what to implement, in which order.
 */
export { storeContract, type StoreCase, type StoreUnderTest } from './stores/contract/store-contract.ts'
export * as samples from './stores/contract/samples.ts'

export type { Store } from './stores/store.ts'
export type * from './stores/candidates.ts'
export type * from './stores/images.ts'
export type * from './stores/jobs.ts'
export type * from './stores/maintenance.ts'
export type * from './stores/records.ts'
export type * from './stores/rows.ts'
export type { ScopeRow, StoredScopeKey } from './scopes/scope.ts'
export type { MemoryChange, NewOperation, Operation, Tally, MemoryRef } from './memories/operation.ts'
export { MEMORY_STATUSES, type Memory, type MemoryStatus, type Origin } from './memories/memory.ts'
export type { Turn } from './turns/turn.ts'

export { applyOperation, changeFromBlank, memoryFromBlank, projectLog } from './memories/apply-operation.ts'
export { matchesMetadata, type MetadataFilter } from './metadata/metadata-filter.ts'
export type { Metadata } from './metadata/metadata.ts'
export {
  migrateStore,
  type Migrated,
  type MigrateOptions,
  type MoveRecord,
} from './transfer/migrate-store.ts'
export type { MovedNumbers } from './transfer/moved-numbers.ts'
export { turnsQuoted } from './memories/turns-quoted.ts'
export { decodeTerms, decodeVector, encodeTerms, encodeVector } from './stores/sqlite/encode-documents.ts'
export { joinNotes } from './stores/join-notes.ts'
export { erasedId } from './stores/erased-id.ts'
export { makeHolder, stateOfHolder, type ProcessHolder } from './stores/process-holder.ts'

export { ClosedError } from './errors/closed-error.ts'
export { InvalidInputError } from '@keepsake/text'
export { NotFoundError } from './errors/not-found-error.ts'
export { NotPossibleError } from './errors/not-possible-error.ts'
export { StoreError, type StoreErrorCode } from './errors/store-error.ts'
export { TurnConflictError } from './errors/turn-conflict-error.ts'
/** The port and store that take the place of these. */
export * as sql from './sql-store.ts'
