import type { ScopeRow, StoredScopeKey } from '../../scopes/scope.ts'
import type { OwnerVersion, ScopeFilter, SeenScopes } from '../store.ts'
import type { Connection } from './connection.ts'
import { ensureScope, findScope, listScopes, readVersion } from './keep-scopes.ts'
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
    const [row] = await this.#lookUp(nameOf(key), (sql) => exactly(sql, key))
    return row ?? null
  }

  /** What a request by this key sees, and the version: where the scopes are known, both are one look at the person's row. */
  seen(key: StoredScopeKey): Promise<SeenScopes | null> {
    const { tenant, user, agent, app } = key
    const isOne = agent !== null || app !== null
    const name = JSON.stringify(isOne ? nameOf(key) : ['all', tenant, user])
    const look = (sql: Sql) => (isOne ? exactly(sql, key) : listScopes(sql, { tenant, user }))
    return this.#connection.read((sql) => {
      const known = this.#known.get(name)
      const now = known?.rows[0] === undefined ? undefined : stateOf(sql, known.rows[0].owner)
      if (known !== undefined && now !== undefined && now.mark === known.mark)
        return { rows: known.rows, version: now.version }
      return sql.read(() => {
        const rows = this.#keep(sql, name, look(sql))
        return rows[0] === undefined ? null : { rows, version: readVersion(sql, rows[0].owner) }
      })
    })
  }

  async ensure(key: StoredScopeKey): Promise<ScopeRow> {
    const known = await this.find(key)
    if (known !== null) return known
    const made = await this.#connection.callDurably((sql) => ensureScope(sql, key))
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
      return sql.read(() => this.#keep(sql, name, read(sql)))
    })
  }

  #keep(sql: Sql, name: string, rows: readonly ScopeRow[]): readonly ScopeRow[] {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(name, { rows, mark: markOf(sql, rows) })
    return rows
  }
}

function nameOf({ tenant, user, agent, app }: StoredScopeKey): (string | null)[] {
  return ['one', tenant, user, agent, app]
}

function exactly(sql: Sql, key: StoredScopeKey): ScopeRow[] {
  const found = findScope(sql, key)
  return found === null ? [] : [found]
}

/** A person's mark and version; `undefined` of one who is not there any more. */
function stateOf(
  sql: Sql,
  owner: number,
): { readonly mark: number; readonly version: OwnerVersion } | undefined {
  const row = sql.get<OwnerVersion & { readonly mark: number }>`SELECT scope_changes AS mark, revision, epoch
    FROM owners WHERE owner = ${owner}`
  return row && { mark: row.mark, version: { revision: row.revision, epoch: row.epoch } }
}

/** How often the person's scopes changed, whose all of these are; where there are none, what changes with every commit of another connection. */
function markOf(sql: Sql, [first]: readonly ScopeRow[]): number | undefined {
  if (first === undefined) return sql.value<number>`PRAGMA data_version`
  return sql.value<number>`SELECT scope_changes FROM owners WHERE owner = ${first.owner}`
}
