import type { ScopeRow, StoredScopeKey } from '../../scopes/scope.ts'
import type { ScopeFilter } from '../store.ts'
import type { Connection } from './connection.ts'
import { ensureScope, findScope, listScopes } from './keep-scopes.ts'
import type { Sql } from './sql.ts'

/** Look-ups kept before they are all forgotten: some 300 bytes each. */
const MOST_KNOWN = 10_000

/** What was looked up, and a mark that is another once it may have changed. */
interface LookedUp {
  readonly rows: readonly ScopeRow[]
  readonly mark: number | undefined
}

/**
 * A person's scopes, read once: every call asks for them, and they change only when one is made, erased or imported. Whether they did is told by
 * a number of the person's, which is read each time: other processes may write all the while, and of other people.
 */
export class KnownScopes {
  readonly #connection: Connection
  readonly #known = new Map<string, LookedUp>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async find(key: StoredScopeKey): Promise<ScopeRow | null> {
    const { tenant, user, agent, app } = key
    const [row] = await this.#lookUp(['one', tenant, user, agent, app], (sql) => {
      const found = findScope(sql, key)
      return found === null ? [] : [found]
    })
    return row ?? null
  }

  async ensure(key: StoredScopeKey): Promise<ScopeRow> {
    const known = await this.find(key)
    if (known !== null) return known
    const made = await this.#connection.call((sql) => ensureScope(sql, key))
    this.forget()
    return made
  }

  async list(filter: ScopeFilter = {}): Promise<ScopeRow[]> {
    const { tenant, user, after, limit } = filter
    const isPage = after !== undefined || limit !== undefined
    if (isPage || tenant === undefined || user === undefined)
      return this.#connection.read((sql) => listScopes(sql, filter))
    return [...(await this.#lookUp(['all', tenant, user], (sql) => listScopes(sql, filter)))]
  }

  /** After a change of scopes by this connection. */
  forget(): void {
    this.#known.clear()
  }

  #lookUp(
    key: readonly (string | null)[],
    read: (sql: Sql) => readonly ScopeRow[],
  ): Promise<readonly ScopeRow[]> {
    return this.#connection.read((sql) => {
      const name = JSON.stringify(key)
      const known = this.#known.get(name)
      if (known !== undefined && markOf(sql, known.rows) === known.mark) return known.rows
      if (this.#known.size >= MOST_KNOWN) this.#known.clear()
      return sql.read(() => {
        const rows = read(sql)
        this.#known.set(name, { rows, mark: markOf(sql, rows) })
        return rows
      })
    })
  }
}

/** How often the person's scopes changed, whose all of these are; where there are none, what changes with every commit of another connection. */
function markOf(sql: Sql, [first]: readonly ScopeRow[]): number | undefined {
  if (first === undefined) return sql.value<number>`PRAGMA data_version`
  return sql.value<number>`SELECT scope_changes FROM owners WHERE owner = ${first.owner}`
}
