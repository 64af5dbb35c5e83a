import type { Store } from 'keepsake/store-kit'
import { openPostgresStore, type OpenPostgresStoreOptions } from '../src/open-postgres-store.ts'
import type { PostgresServer } from '../src/testing/postgres-server.ts'

/** Stores in schemas of one server, each new and empty. */
export function storesOn(server: PostgresServer, options: Partial<OpenPostgresStoreOptions> = {}) {
  const schemas = new WeakMap<Store, string>()
  let made = 0
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
  return {
    open: (): Promise<Store> => open(`${prefix}_${(made += 1)}`),
    openAgain: (store: Store): Promise<Store> => open(schemas.get(store) ?? ''),
    schemaOf: (store: Store): string => schemas.get(store) ?? '',
  }
}
