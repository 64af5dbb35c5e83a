import type { Store } from 'keepsake'
import { OptionError } from '../benchmark/options.ts'

/** Empty stores in a server's database, each in a schema of its own that goes when it is closed. */
export interface PostgresStores {
  readonly open: () => Promise<Store>
}

/** @throws OptionError when the package that opens them is not installed */
export async function postgresStores(connectionString: string, partitions: number): Promise<PostgresStores> {
  const { dropSchema, openPostgresStore } = await import('@keepsake/postgres').catch((cause: unknown) => {
    throw new OptionError('This needs the package @keepsake/postgres, which is not installed.', { cause })
  })
  let made = 0
  return {
    open: async () => {
      const schema = `bench_${process.pid}_${(made += 1)}`
      await dropSchema({ connectionString, schema })
      const store = await openPostgresStore({ connectionString, schema, partitions })
      const close = async (): Promise<void> => {
        await store.close()
        await dropSchema({ connectionString, schema })
      }
      return { ...store, close }
    },
  }
}
