import { NotFoundError } from '../../errors/not-found-error.ts'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { OwnerVersion } from '../store.ts'
import type { StoredScopeKey } from '../../scopes/scope.ts'
import type { Sql } from './sql.ts'

const COLUMNS = 's.owner, s.scope, o.tenant, o.user, s.agent, s.app'

export function findScope(sql: Sql, key: StoredScopeKey): ScopeRow | null {
  const row = sql.get<ScopeRow>(
    `SELECT ${COLUMNS} FROM owners o JOIN scopes s ON s.owner = o.owner
     WHERE o.tenant = ? AND o.user = ? AND s.agent IS ? AND s.app IS ? AND s.erased = 0`,
    key.tenant,
    key.user,
    key.agent,
    key.app,
  )
  return row ?? null
}

export function ensureScope(sql: Sql, key: StoredScopeKey): ScopeRow {
  const known = findScope(sql, key)
  if (known !== null) return known
  return sql.write(() => {
    const since = findScope(sql, key)
    if (since !== null) return since
    sql.run('INSERT INTO owners (tenant, user) VALUES (?, ?) ON CONFLICT DO NOTHING', key.tenant, key.user)
    const owner = sql.value<number>(
      'SELECT owner FROM owners WHERE tenant = ? AND user = ?',
      key.tenant,
      key.user,
    )
    if (owner === undefined) throw new NotFoundError('scope', `${key.tenant}/${key.user}`)
    const scope = sql.value<number>(
      'INSERT INTO scopes (owner, agent, app) VALUES (?, ?, ?) RETURNING scope',
      owner,
      key.agent,
      key.app,
    )
    return { owner, scope: Number(scope), tenant: key.tenant, user: key.user, agent: key.agent, app: key.app }
  })
}

/** Conditions are left out rather than made optional, so that one person's scopes are found by the index among millions. */
export function listScopes(sql: Sql, filter: { tenant?: string; user?: string } = {}): ScopeRow[] {
  const { tenant, user } = filter
  const conditions = ['s.erased = 0']
  const values: string[] = []
  if (tenant !== undefined) {
    conditions.push('o.tenant = ?')
    values.push(tenant)
  }
  if (user !== undefined) {
    conditions.push('o.user = ?')
    values.push(user)
  }
  return sql.all<ScopeRow>(
    `SELECT ${COLUMNS} FROM owners o JOIN scopes s ON s.owner = o.owner
     WHERE ${conditions.join(' AND ')} ORDER BY s.scope`,
    ...values,
  )
}

/** The wall: a scope is written to only in the name of its owner. @throws NotFoundError otherwise. */
export function requireScope(sql: Sql, owner: number, scope: number): void {
  const found = sql.value<number>(
    'SELECT 1 FROM scopes WHERE scope = ? AND owner = ? AND erased = 0',
    scope,
    owner,
  )
  if (found === undefined) throw new NotFoundError('scope', String(scope))
}

/** @throws NotFoundError when there is no such person. */
export function readVersion(sql: Sql, owner: number): OwnerVersion {
  const version = sql.get<OwnerVersion>('SELECT revision, epoch FROM owners WHERE owner = ?', owner)
  if (version === undefined) throw new NotFoundError('scope', String(owner))
  return version
}

/** The revision that the rows of this change carry. */
export function raiseRevision(sql: Sql, owner: number): number {
  sql.run('UPDATE owners SET revision = revision + 1 WHERE owner = ?', owner)
  return readVersion(sql, owner).revision
}
