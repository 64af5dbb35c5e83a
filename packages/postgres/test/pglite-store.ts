import { PGlite } from '@electric-sql/pglite'
import { USER_TABLES, type Store } from 'keepsake/store'
import { openPgliteStore } from '../src/open-postgres-store.ts'

/**
 * Opens stores in schemas of one database. Creating a schema takes half a second, so schemas of earlier tests are emptied
 * and used again.
 */
export class PgliteStores {
  readonly database: PGlite
  readonly #schemas = new WeakMap<Store, string>()
  readonly #allSchemas: string[] = []
  #unusedSchemas: string[] = []

  private constructor(database: PGlite) {
    this.database = database
  }

  static async start(): Promise<PgliteStores> {
    return new PgliteStores(await PGlite.create())
  }

  /** Opens an empty store. */
  readonly open = async (): Promise<Store> => {
    const known = this.#unusedSchemas.pop()
    if (known !== undefined) await this.#empty(known)
    const schema = known ?? `stores_${this.#allSchemas.length}`
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
    const store = await openPgliteStore({ database: this.database, schema })
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
