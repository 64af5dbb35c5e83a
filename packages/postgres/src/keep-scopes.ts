import {
  NotFoundError,
  type OwnerVersion,
  type ScopeFilter,
  type ScopeRow,
  type SeenScopes,
  type StoredScopeKey,
} from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { part, Where, type SqlPart } from './connection/sql-part.ts'
import type { Database } from './database.ts'

/** A person's counters, locked: whoever changes a person's rows does so alone, and knows where numbers go on. */
export interface Person {
  readonly owner: number
  readonly revision: number
  readonly epoch: number
  /** Of the last operation in the log. */
  readonly sequence: number
  /** Turns so far, also those that are gone. */
  readonly turns: number
}

/** Takes the person's lock until the end of the transaction. @throws NotFoundError when there is no such person. */
export async function lockPerson(sql: Sql, owner: number): Promise<Person> {
  const person = await sql.get<Person>`SELECT owner, revision, epoch, sequence, turns FROM owners
    WHERE owner = ${owner} FOR UPDATE`
  if (person === undefined) throw new NotFoundError('scope', String(owner))
  return person
}

/** Counters as a change leaves them. */
export function writePerson(sql: Sql, { owner, revision, epoch, sequence, turns }: Person): void {
  sql.send`UPDATE owners SET revision = ${revision}, epoch = ${epoch}, sequence = ${sequence}, turns = ${turns}
    WHERE owner = ${owner}`
}

/** Scopes that are there and of which the conditions hold, in order of making. */
export function scopeRows(sql: Sql, where: SqlPart, limit: number | null = null): Promise<ScopeRow[]> {
  return sql.all<ScopeRow>`SELECT s.owner, s.scope, o.tenant, o.person AS user, s.agent, s.app
    FROM owners o JOIN scopes s ON s.owner = o.owner WHERE NOT s.erased AND ${where} ORDER BY s.scope LIMIT ${limit}`
}

/** The scopes among these that are the owner's and not erased. */
export async function knownScopes(sql: Sql, owner: number, scopes: readonly number[]): Promise<Set<number>> {
  const rows = await sql.cells<readonly [number]>`SELECT scope FROM scopes
    WHERE owner = ${owner} AND scope = ANY(${scopes}) AND NOT erased`
  return new Set(rows.map(([scope]) => scope))
}

/** The wall: a scope is written to only in the name of its owner. @throws NotFoundError otherwise. */
export function requireScopes(known: Pick<ReadonlySet<number>, 'has'>, scopes: Iterable<number>): void {
  for (const scope of scopes) if (!known.has(scope)) throw new NotFoundError('scope', String(scope))
}

export async function readVersion({ transactions }: Database, owner: number): Promise<OwnerVersion> {
  const version = await transactions.read(
    { owner },
    (sql) => sql.get<OwnerVersion>`SELECT revision, epoch FROM owners WHERE owner = ${owner}`,
  )
  if (version === undefined) throw new NotFoundError('scope', String(owner))
  return version
}

export function listScopes(
  { transactions }: Database,
  { tenant, user, owner, after, limit }: ScopeFilter = {},
): Promise<ScopeRow[]> {
  const where = new Where().equal('o.tenant', tenant).equal('o.person', user).equal('s.owner', owner)
  // By name the way in is the table that is ordered so; who sees one person alone does not see that table.
  if (owner === undefined && tenant !== undefined && user !== undefined)
    where.and`o.owner IN (SELECT owner FROM people WHERE tenant = ${tenant} AND person = ${user})`
  if (after !== undefined) where.and`s.scope > ${after}`
  return transactions.read(owner === undefined ? 'all' : { owner }, (sql) =>
    scopeRows(sql, where.part, limit),
  )
}

/** How many look-ups are kept before they are all forgotten: some 300 bytes each. */
const MOST_KNOWN = 100_000

/**
 * Finds scopes by key. A person's number is never given again, so it is looked up once and only the scope is read
 * each time; a person who was erased and came again is found again.
 */
export class ScopeFinder {
  readonly #owners = new Map<string, number>()

  async find(database: Database, key: StoredScopeKey): Promise<ScopeRow | null> {
    const known = this.#owners.get(nameOf(key))
    const found = known === undefined ? undefined : await this.#findOf(database, known, key)
    if (found !== undefined) return found
    const owner = await this.#ownerOf(database, key)
    return owner === undefined ? null : ((await this.#findOf(database, owner, key)) ?? null)
  }

  /** See `Rows.findSeen`. */
  async seen(database: Database, key: StoredScopeKey): Promise<SeenScopes | null> {
    const known = this.#owners.get(nameOf(key))
    const seen = known === undefined ? undefined : await this.#seenOf(database, known, key)
    if (seen !== undefined) return seen
    const found = await this.#seenByName(database, key)
    this.#note(key, found?.rows[0]?.owner)
    return found
  }

  async ensure(database: Database, key: StoredScopeKey): Promise<ScopeRow> {
    for (;;) {
      const row = (await this.find(database, key)) ?? (await this.#make(database, key))
      if (row !== null) return row
    }
  }

  async #ownerOf({ transactions }: Database, key: StoredScopeKey): Promise<number | undefined> {
    const { tenant, user } = key
    const owner = await transactions.read(
      'all',
      (sql) => sql.value<number>`SELECT owner FROM people WHERE tenant = ${tenant} AND person = ${user}`,
    )
    this.#note(key, owner)
    return owner
  }

  #note(key: StoredScopeKey, owner: number | undefined): void {
    if (this.#owners.size >= MOST_KNOWN) this.#owners.clear()
    if (owner === undefined) this.#owners.delete(nameOf(key))
    else this.#owners.set(nameOf(key), owner)
  }

  /** `undefined`: the person is gone. `null`: there, without such a scope. */
  async #findOf(
    { transactions }: Database,
    owner: number,
    { agent, app }: StoredScopeKey,
  ): Promise<ScopeRow | null | undefined> {
    const rows = await transactions.read(
      { owner },
      (sql) => sql.all<Omit<ScopeRow, 'scope'> & { readonly scope: number | null }>`
        SELECT o.owner, s.scope, o.tenant, o.person AS user, s.agent, s.app
        FROM owners o LEFT JOIN scopes s ON s.owner = o.owner AND NOT s.erased AND ${isExactly(agent, app)}
        WHERE o.owner = ${owner} AND o.tenant IS NOT NULL ORDER BY s.scope LIMIT 1`,
    )
    const [row] = rows
    if (row === undefined) return undefined
    return row.scope === null ? null : { ...row, scope: row.scope }
  }

  /** `undefined`: the person is gone. `null`: there, without such a scope. */
  async #seenOf(
    { transactions }: Database,
    owner: number,
    key: StoredScopeKey,
  ): Promise<SeenScopes | null | undefined> {
    return transactions.read({ owner }, async (sql) => toldOf(await seenRows(sql, part`${owner}`, key)))
  }

  /** Looks the person up and turns to them, in one way to the server; from then on only their rows are seen. */
  #seenByName({ transactions }: Database, key: StoredScopeKey): Promise<SeenScopes | null> {
    const { tenant, user } = key
    return transactions.read('all', async (sql) => {
      const [, rows] = await Promise.all([
        // In this order: who is found is found by who sees everybody.
        sql.run`SELECT set_config('keepsake.owner', coalesce((
            SELECT owner::text FROM people WHERE tenant = ${tenant} AND person = ${user}), ''), true),
          set_config('keepsake.sees', '', true)`,
        seenRows(sql, part`nullif(current_setting('keepsake.owner'), '')::bigint`, key),
      ])
      return toldOf(rows) ?? null
    })
  }

  /** `null` when the person was erased while it was being made. */
  #make({ transactions }: Database, key: StoredScopeKey): Promise<ScopeRow | null> {
    return transactions.write('all', async (sql) => {
      const { owner, isNew } = await makePerson(sql, key)
      const isThere =
        isNew ||
        (await sql.value`SELECT 1 FROM owners WHERE owner = ${owner} AND tenant IS NOT NULL FOR UPDATE`)
      if (isThere === undefined) return null
      return makeScope(sql, owner, key)
    })
  }
}

type SeenRow = ScopeRow & OwnerVersion & { readonly isThere: boolean }

function seenRows(sql: Sql, owner: SqlPart, { agent, app }: StoredScopeKey): Promise<SeenRow[]> {
  const isMeant = agent === null && app === null ? part`TRUE` : isExactly(agent, app)
  return sql.all<SeenRow>`
    SELECT o.owner, s.scope, o.tenant, o.person AS user, s.agent, s.app, o.revision, o.epoch, s.scope IS NOT NULL AS "isThere"
    FROM owners o LEFT JOIN scopes s ON s.owner = o.owner AND NOT s.erased AND ${isMeant}
    WHERE o.owner = ${owner} AND o.tenant IS NOT NULL ORDER BY s.scope`
}

/** `undefined`: the person is gone. `null`: there, without such a scope. */
function toldOf(found: readonly SeenRow[]): SeenScopes | null | undefined {
  const [first] = found
  if (first === undefined) return undefined
  if (!first.isThere) return null
  const { revision, epoch } = first
  const rows = found.map(({ owner, scope, tenant, user, agent, app }) => ({
    owner,
    scope,
    tenant,
    user,
    agent,
    app,
  }))
  return { rows, version: { revision, epoch } }
}

function nameOf({ tenant, user }: StoredScopeKey): string {
  return JSON.stringify([tenant, user])
}

function isExactly(agent: string | null, app: string | null): SqlPart {
  return part`s.agent IS NOT DISTINCT FROM ${agent} AND s.app IS NOT DISTINCT FROM ${app}`
}

/** Of two who make one person at once, the second waits and finds what the first made. */
export async function makePerson(
  sql: Sql,
  { tenant, user }: Pick<StoredScopeKey, 'tenant' | 'user'>,
): Promise<{ readonly owner: number; readonly isNew: boolean }> {
  const made = await sql.value<number>`INSERT INTO people (tenant, person) VALUES (${tenant}, ${user})
    ON CONFLICT DO NOTHING RETURNING owner`
  if (made !== undefined) {
    await sql.run`INSERT INTO owners (owner, tenant, person) VALUES (${made}, ${tenant}, ${user})`
    return { owner: made, isNew: true }
  }
  const owner =
    await sql.value<number>`SELECT owner FROM people WHERE tenant = ${tenant} AND person = ${user}`
  return { owner: owner ?? 0, isNew: false }
}

/** With the person's lock. */
export async function makeScope(sql: Sql, owner: number, key: StoredScopeKey): Promise<ScopeRow> {
  const { tenant, user, agent, app } = key
  const known = await sql.value<number>`SELECT scope FROM scopes s
    WHERE owner = ${owner} AND NOT erased AND ${isExactly(agent, app)}`
  const scope =
    known ??
    (await sql.value<number>`INSERT INTO scopes (owner, agent, app) VALUES (${owner}, ${agent}, ${app}) RETURNING scope`)
  return { owner, scope: scope ?? 0, tenant, user, agent, app }
}
