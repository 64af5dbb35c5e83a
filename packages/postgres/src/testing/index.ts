/** A server of one's own, for tests and for trying what happens when one fails. */
export { findPostgres, PostgresServer, whyNoServer } from './postgres-server.ts'
