import { USER_TABLES, type Store } from 'keepsake/store'
import { openPostgresStore, type OpenPostgresStoreOptions } from '../src/open-postgres-store.ts'
import type { PostgresServer } from '../src/testing/postgres-server.ts'

/**
 * Stores in schemas of one server, each new and empty. Making a schema takes long, so those of earlier tests may be emptied and used
 * again: once `reuse` was called, while no store is open.
 */
export function storesOn(server: PostgresServer, options: Partial<OpenPostgresStoreOptions> = {}) {
  const schemas = new WeakMap<Store, string>()
  const made: string[] = []
  let free: string[] = []
  const open = async (schema: string): Promise<Store> => {
    const store = await openPostgresStore({
      connectionString: server.address(),
      connections: 4,
      schema,
      ...options,
    })
    schemas.set(store, schema)
    return store
  }
  const prefix = `s${process.pid}_${Date.now().toString(36)}`
  /** Turns off the triggers that keep the log append-only. */
  const empty = (schema: string): Promise<unknown> => {
    const tables = [...USER_TABLES, 'records'].map((table) => `DELETE FROM ${schema}.${table};`)
    return server.ask(`BEGIN; SET LOCAL session_replication_role = replica; ${tables.join(' ')} COMMIT`)
  }
  return {
    async open(): Promise<Store> {
      const known = free.pop()
      if (known === undefined) made.push(`${prefix}_${made.length}`)
      else await empty(known)
      return open(known ?? made.at(-1) ?? '')
    },
    reuse: (): void => void (free = [...made]),
    openAgain: (store: Store): Promise<Store> => open(schemas.get(store) ?? ''),
    schemaOf: (store: Store): string => schemas.get(store) ?? '',
  }
}
