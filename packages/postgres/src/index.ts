export { dropSchema } from './drop-schema.ts'
export {
  openPgliteStore,
  openPostgresStore,
  type OpenPgliteStoreOptions,
  type OpenPostgresStoreOptions,
  type PostgresLayoutOptions,
} from './open-postgres-store.ts'
export type { Purge } from './postgres-database.ts'
