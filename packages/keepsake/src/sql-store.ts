/** For packages that bring a database: the store on any SQL dialect, its schema, and the contract that it must keep. */
export { makeSqlStore } from './store/sql/sql-store.ts'
export type { Access, SqlDatabase, Wall } from './store/sql/sql-database.ts'
export {
  createTables,
  LARGE_TABLES,
  USER_TABLES,
  type TableDialect,
  type Tables,
} from './store/sql/tables.ts'
export { storeContract, type StoreCase, type StoreUnderTest } from './store/contract/store-contract.ts'
export * as samples from './store/contract/samples.ts'
export { makeHolder, stateOfHolder, type ProcessHolder } from './store/process-holder.ts'
export type * from './store/store.ts'
