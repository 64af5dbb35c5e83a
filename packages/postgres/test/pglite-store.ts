import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { USER_TABLES, type Store } from 'keepsake/store'
import { openPgliteStore, type PostgresLayoutOptions } from '../src/open-postgres-store.ts'

let shared: Promise<PGlite> | null = null
let instanceCount = 0

/** File with an empty database, for the other workers of a run. Loading it takes a quarter of the time of creating one. */
const TEMPLATE = join(tmpdir(), 'pglite-template.tar')

/** Returns the database of this worker. Each test file creates its own schemas in it. It ends with the worker. */
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
  // The file gets its name when it is complete, even if two workers write it at once.
  const temporaryPath = `${TEMPLATE}.${process.pid}`
  await writeFile(temporaryPath, new Uint8Array(await dump.arrayBuffer()))
  await rename(temporaryPath, TEMPLATE)
  return database
}

/**
 * Opens stores in schemas of the worker's database. Creating a schema takes half a second, so schemas of earlier tests are emptied
 * and used again.
 */
export class PgliteStores {
  readonly database: PGlite
  readonly #options: PostgresLayoutOptions
  readonly #prefix = `stores_${(instanceCount += 1)}`
  readonly #schemas = new WeakMap<Store, string>()
  readonly #allSchemas: string[] = []
  #unusedSchemas: string[] = []

  private constructor(database: PGlite, options: PostgresLayoutOptions) {
    this.database = database
    this.#options = options
  }

  static async start(options: PostgresLayoutOptions = {}): Promise<PgliteStores> {
    return new PgliteStores(await sharedDatabase(), options)
  }

  /** Opens an empty store. */
  readonly open = async (): Promise<Store> => {
    const known = this.#unusedSchemas.pop()
    if (known !== undefined) await this.#empty(known)
    const schema = known ?? `${this.#prefix}_${this.#allSchemas.length}`
    if (known === undefined) this.#allSchemas.push(schema)
    return this.#open(schema)
  }

  /** Opens the rows of a store a second time. */
  readonly openAgain = (store: Store): Promise<Store> => this.#open(this.schemaOf(store))

  schemaOf(store: Store): string {
    const schema = this.#schemas.get(store)
    if (schema === undefined) throw new Error('this store was not opened here')
    return schema
  }

  /** Allows all schemas to be used again. Called between two tests, when all stores are closed. */
  reuse(): void {
    this.#unusedSchemas = [...this.#allSchemas]
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
