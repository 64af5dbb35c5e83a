import type { Store } from 'keepsake'
import { OptionError } from '../benchmark/options.ts'

/** Stores in a server's database, each in a schema of its own. */
export interface PostgresStores {
  /** An empty one, which goes when it is closed. */
  readonly open: () => Promise<Store>
  /** An empty one that stays, to be opened again and again, until it is dropped. */
  readonly keep: (options?: KeepOptions) => Promise<KeptSchema>
}

export interface KeepOptions {
  /** Turns candidates on, which takes pgvector. */
  readonly candidates?: boolean
}

export interface KeptStore {
  readonly open: () => Promise<Store>
  readonly drop: () => Promise<void>
}

export interface KeptSchema extends KeptStore {
  readonly schema: string
}

/** Whoever has an empty store that stays, to be opened again and again, until it is dropped. */
export interface StoreKeeper {
  readonly keep: (options?: KeepOptions) => Promise<KeptStore>
}

/** @throws OptionError when the package that opens them is not installed */
export async function postgresStores(connectionString: string, partitions: number): Promise<PostgresStores> {
  const { dropSchema, openPostgresStore } = await import('@keepsake/postgres').catch((cause: unknown) => {
    throw new OptionError('This needs the package @keepsake/postgres, which is not installed.', { cause })
  })
  let made = 0
  const keep = async ({ candidates = false }: KeepOptions = {}): Promise<KeptSchema> => {
    const schema = `bench_${process.pid}_${(made += 1)}`
    const drop = (): Promise<void> => dropSchema({ connectionString, schema })
    await drop()
    return {
      schema,
      open: () => openPostgresStore({ connectionString, schema, partitions, candidates }),
      drop,
    }
  }
  const open = async (): Promise<Store> => {
    const kept = await keep()
    const store = await kept.open()
    const close = async (): Promise<void> => {
      await store.close()
      await kept.drop()
    }
    return { ...store, close }
  }
  return { open, keep }
}

/** The same in Postgres within this process, a database each. @throws OptionError when the packages it takes are not installed */
export async function pgliteStores(partitions: number): Promise<StoreKeeper> {
  const [{ openPgliteStore }, { PGlite }, { vector }] = await Promise.all([
    import('@keepsake/postgres'),
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite-pgvector'),
  ]).catch((cause: unknown) => {
    throw new OptionError(
      'Without --postgres this needs the packages @keepsake/postgres, @electric-sql/pglite and @electric-sql/pglite-pgvector.',
      { cause },
    )
  })
  return {
    keep: async ({ candidates = false } = {}) => {
      const database = await PGlite.create({ extensions: { vector } })
      return {
        open: async () => {
          const store = await openPgliteStore({ database, partitions, candidates })
          // Nobody counts its rows in the background, as a server does: without counts statements take many times as long.
          await database.exec('ANALYZE')
          return store
        },
        drop: () => database.close(),
      }
    },
  }
}
