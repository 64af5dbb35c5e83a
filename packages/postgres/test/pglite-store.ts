import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { USER_TABLES, type Store } from 'keepsake/store'
import { openPgliteStore, type PostgresLayoutOptions } from '../src/open-postgres-store.ts'

let shared: Promise<PGlite> | null = null
let named = 0

/** An empty database as it is on disk, for the other workers of a run: to make one takes four times as long as to load it. */
const TEMPLATE = join(tmpdir(), 'pglite-template.tar')

/** One database for all files of a worker, which make schemas of their own there. It ends with the worker. */
export function sharedDatabase(): Promise<PGlite> {
  shared ??= existsSync(TEMPLATE) ? loadTemplate() : makeTemplate()
  return shared
}

async function loadTemplate(): Promise<PGlite> {
  return PGlite.create({ loadDataDir: new Blob([await readFile(TEMPLATE)]) })
}

async function makeTemplate(): Promise<PGlite> {
  const database = await PGlite.create()
  const dump = await database.dumpDataDir('none')
  // Complete under its name, also where two workers make one.
  const own = `${TEMPLATE}.${process.pid}`
  await writeFile(own, new Uint8Array(await dump.arrayBuffer()))
  await rename(own, TEMPLATE)
  return database
}

/**
 * Stores in schemas of the worker's database. Making a schema takes half a second there, so those of earlier tests are
 * emptied and used again.
 */
export class PgliteStores {
  readonly database: PGlite
  readonly #options: PostgresLayoutOptions
  readonly #prefix = `stores_${(named += 1)}`
  readonly #schemas = new WeakMap<Store, string>()
  readonly #made: string[] = []
  #free: string[] = []

  private constructor(database: PGlite, options: PostgresLayoutOptions) {
    this.database = database
    this.#options = options
  }

  static async start(options: PostgresLayoutOptions = {}): Promise<PgliteStores> {
    return new PgliteStores(await sharedDatabase(), options)
  }

  /** A new and empty store. */
  readonly open = async (): Promise<Store> => {
    const known = this.#free.pop()
    if (known !== undefined) await this.#empty(known)
    const schema = known ?? `${this.#prefix}_${this.#made.length}`
    if (known === undefined) this.#made.push(schema)
    return this.#open(schema)
  }

  /** The same rows once more. */
  readonly openAgain = (store: Store): Promise<Store> => this.#open(this.schemaOf(store))

  schemaOf(store: Store): string {
    const schema = this.#schemas.get(store)
    if (schema === undefined) throw new Error('this store was not opened here')
    return schema
  }

  /** Between two tests: all stores are closed. */
  reuse(): void {
    this.#free = [...this.#made]
  }

  async #open(schema: string): Promise<Store> {
    const store = await openPgliteStore({ database: this.database, schema, ...this.#options })
    this.#schemas.set(store, schema)
    return store
  }

  /** Turns off the triggers that keep the log append-only. */
  async #empty(schema: string): Promise<void> {
    const tables = [...USER_TABLES, 'records'].map((table) => `DELETE FROM ${schema}.${table};`)
    await this.database.exec(
      `BEGIN; SET LOCAL session_replication_role = replica; ${tables.join(' ')} COMMIT`,
    )
  }
}
