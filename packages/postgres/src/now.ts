import { part } from './connection/sql-part.ts'

/** The server's clock, in milliseconds since 1970: machines' clocks differ. */
export const NOW = part`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`
