export { openLibsqlStore, type OpenLibsqlStoreOptions } from './open-libsql-store.ts'
