import { USER_TABLES, type Store } from 'keepsake/store'
import { openPostgresStore, type OpenPostgresStoreOptions } from '../src/open-postgres-store.ts'
import type { PostgresServer } from '../src/testing/postgres-server.ts'

/**
 * Opens stores in schemas of one server, each new and empty. Creating a schema is slow. After a call of `reuse`, for which no store may
 * be open, schemas of earlier tests are emptied and used again.
 */
export function storesOn(server: PostgresServer, options: Partial<OpenPostgresStoreOptions> = {}) {
  const schemas = new WeakMap<Store, string>()
  const allSchemas: string[] = []
  let unusedSchemas: string[] = []
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
      const known = unusedSchemas.pop()
      if (known === undefined) allSchemas.push(`${prefix}_${allSchemas.length}`)
      else await empty(known)
      return open(known ?? allSchemas.at(-1) ?? '')
    },
    reuse: (): void => void (unusedSchemas = [...allSchemas]),
    openAgain: (store: Store): Promise<Store> => open(schemas.get(store) ?? ''),
    schemaOf: (store: Store): string => schemas.get(store) ?? '',
  }
}
