/** Exports a private Postgres server for tests, also of failures. */
export { findPostgres, PostgresServer, whyNoServer } from './postgres-server.ts'
