import { NotFoundError } from '../../errors/not-found-error.ts'
import type { ScopeRow, StoredScopeKey } from '../../scopes/scope.ts'
import type { OwnerVersion, ScopeFilter } from '../store.ts'
import { part, Where, type Sql, type SqlPart } from './sql.ts'

/** Scopes that are there and of which the conditions hold, in order of making. */
export function scopeRows(sql: Sql, where: SqlPart, limit = -1): ScopeRow[] {
  return sql.all<ScopeRow>`SELECT s.owner, s.scope, o.tenant, o.user, s.agent, s.app
    FROM owners o JOIN scopes s ON s.owner = o.owner WHERE s.erased = 0 AND ${where} ORDER BY s.scope LIMIT ${limit}`
}

export function findScope(sql: Sql, { tenant, user, agent, app }: StoredScopeKey): ScopeRow | null {
  const exactly = part`o.tenant = ${tenant} AND o.user = ${user} AND s.agent IS ${agent} AND s.app IS ${app}`
  return scopeRows(sql, exactly)[0] ?? null
}

export function ensureScope(sql: Sql, key: StoredScopeKey): ScopeRow {
  const { tenant, user, agent, app } = key
  return (
    findScope(sql, key) ??
    sql.write(() => {
      const since = findScope(sql, key)
      if (since !== null) return since
      const owner =
        sql.value<number>`SELECT owner FROM owners WHERE tenant = ${tenant} AND user = ${user}` ??
        sql.insert('owners', { tenant, user })
      const scope = sql.insert('scopes', { owner, agent, app })
      return { owner, scope, tenant, user, agent, app }
    })
  )
}

export function listScopes(sql: Sql, { tenant, user, owner, after, limit }: ScopeFilter = {}): ScopeRow[] {
  const where = new Where().equal('o.tenant', tenant).equal('o.user', user).equal('s.owner', owner)
  if (after !== undefined) where.and`s.scope > ${after}`
  return scopeRows(sql, where, limit)
}

/** The wall: a scope is written to only in the name of its owner. @throws NotFoundError otherwise. */
export function requireScope(sql: Sql, owner: number, scope: number): void {
  const found = sql.value`SELECT 1 FROM scopes WHERE scope = ${scope} AND owner = ${owner} AND erased = 0`
  if (found === undefined) throw new NotFoundError('scope', String(scope))
}

/** A person's version, with the place of the last operation in their log. */
export interface OwnerState {
  readonly version: OwnerVersion
  readonly sequence: number
}

type OwnerCells = OwnerVersion & { readonly sequence: number }

/** @throws NotFoundError when there is no such person. */
export function readVersion(sql: Sql, owner: number): OwnerVersion {
  return readState(sql, owner).version
}

/** With the place of the last operation in the person's log. */
export function readState(sql: Sql, owner: number): OwnerState {
  const row = sql.get<OwnerCells>`SELECT revision, epoch, sequence FROM owners WHERE owner = ${owner}`
  if (row === undefined) throw new NotFoundError('scope', String(owner))
  return stateOf(row)
}

/** {@link requireScope}, how far it goes, and the state of its owner: one look. @throws NotFoundError for a scope that is not the owner's. */
export function stateOfScope(
  sql: Sql,
  owner: number,
  scope: number,
): OwnerState & { readonly lastPosition: number } {
  const row = sql.get<OwnerCells & { readonly lastPosition: number }>`SELECT o.revision, o.epoch, o.sequence,
      s.last_position AS lastPosition
    FROM owners o JOIN scopes s ON s.owner = o.owner WHERE s.scope = ${scope} AND s.owner = ${owner} AND s.erased = 0`
  if (row === undefined) throw new NotFoundError('scope', String(scope))
  const { lastPosition, ...cells } = row
  return { ...stateOf(cells), lastPosition }
}

function stateOf({ sequence, ...version }: OwnerCells): OwnerState {
  return { version, sequence }
}

/** Counts a change, and the operations it adds to the log. @returns the state after it, whose revision its rows carry. @throws NotFoundError when there is no such person. */
export function raiseOwner(sql: Sql, owner: number, operations = 0): OwnerState {
  const row = sql.get<OwnerCells>`UPDATE owners SET revision = revision + 1, sequence = sequence + ${operations}
    WHERE owner = ${owner} RETURNING revision, epoch, sequence`
  if (row === undefined) throw new NotFoundError('scope', String(owner))
  return stateOf(row)
}

/** The revision that the rows of this change carry. @throws NotFoundError when there is no such person. */
export function raiseRevision(sql: Sql, owner: number): number {
  return raiseOwner(sql, owner).version.revision
}
