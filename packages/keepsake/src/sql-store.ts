/** The store on any SQL dialect, with its schema and contract, for packages that add a database. */
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
