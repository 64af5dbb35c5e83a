import type { Store } from 'keepsake'
import { OptionError } from '../benchmark/options.ts'

/** Stores in a server's database, each in a schema of its own. */
export interface PostgresStores {
  /** An empty one, which goes when it is closed. */
  readonly open: () => Promise<Store>
  /** An empty one that stays, to be opened again and again, until it is dropped. */
  readonly keep: () => Promise<KeptSchema>
}

export interface KeptSchema {
  readonly open: () => Promise<Store>
  readonly drop: () => Promise<void>
}

/** @throws OptionError when the package that opens them is not installed */
export async function postgresStores(connectionString: string, partitions: number): Promise<PostgresStores> {
  const { dropSchema, openPostgresStore } = await import('@keepsake/postgres').catch((cause: unknown) => {
    throw new OptionError('This needs the package @keepsake/postgres, which is not installed.', { cause })
  })
  let made = 0
  const keep = async (): Promise<KeptSchema> => {
    const schema = `bench_${process.pid}_${(made += 1)}`
    const drop = (): Promise<void> => dropSchema({ connectionString, schema })
    await drop()
    return { open: () => openPostgresStore({ connectionString, schema, partitions }), drop }
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
