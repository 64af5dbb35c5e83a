import { randomUUID } from 'node:crypto'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { Claim, ClaimRequest, ClaimResult } from '../store.ts'
import { scopeRows } from './keep-scopes.ts'
import type { Sql } from './sql.ts'
import { Where } from './where.ts'

/** Who claims, and when it is by the store's clock. */
export interface Claimant {
  readonly holder: string
  readonly now: number
}

/** A claim that counts: not lapsed, and its process not known to be gone. */
const IS_HELD = 'c.until > ? AND NOT is_gone(c.holder)'
const IS_DUE = `j.state = 'queued' AND j.due_at <= ?`

/** Looks before it takes the write lock: most looks for work find none. */
export function claimWork(sql: Sql, claimant: Claimant, request: ClaimRequest): ClaimResult {
  if (request.owner === undefined && nextOwner(sql, claimant.now) === undefined) return noWork(sql, claimant)
  return sql.write((): ClaimResult => {
    const owner = request.owner ?? nextOwner(sql, claimant.now)
    if (owner === undefined) return noWork(sql, claimant)
    if (isHeld(sql, owner, claimant.now)) return { outcome: 'held' }
    const id = randomUUID()
    sql.run(
      'INSERT OR REPLACE INTO claims (owner, id, holder, until) VALUES (?, ?, ?, ?)',
      owner,
      id,
      claimant.holder,
      claimant.now + request.leaseMs,
    )
    const claim: Claim = { id, owner, scopes: dueScopes(sql, owner, claimant.now) }
    return { outcome: 'claimed', claim }
  })
}

/** Whose job has been due for longest, of those whose work nobody holds. */
function nextOwner(sql: Sql, now: number): number | undefined {
  return sql.value<number>(
    `SELECT j.owner FROM jobs j LEFT JOIN claims c ON c.owner = j.owner AND ${IS_HELD}
     WHERE c.owner IS NULL AND ${IS_DUE} ORDER BY j.job LIMIT 1`,
    now,
    now,
  )
}

function noWork(sql: Sql, { now }: Claimant): ClaimResult {
  const due = sql.value(`SELECT 1 FROM jobs j WHERE ${IS_DUE} LIMIT 1`, now)
  return { outcome: due === undefined ? 'nothing' : 'held' }
}

function isHeld(sql: Sql, owner: number, now: number): boolean {
  return sql.value(`SELECT 1 FROM claims c WHERE c.owner = ? AND ${IS_HELD}`, owner, now) !== undefined
}

function dueScopes(sql: Sql, owner: number, now: number): ScopeRow[] {
  const condition = `s.scope IN (SELECT j.scope FROM jobs j WHERE j.owner = ? AND ${IS_DUE})`
  return scopeRows(sql, new Where().and(condition, owner, now))
}

/** @returns whether it is still the caller's. */
export function renewClaim(sql: Sql, id: string, until: number): boolean {
  return sql.write(() => sql.run('UPDATE claims SET until = ? WHERE id = ?', until, id)) === 1
}

export function releaseClaim(sql: Sql, id: string): void {
  sql.write(() => sql.run('DELETE FROM claims WHERE id = ?', id))
}

/** Gives back what a store that is closed held. */
export function releaseAll(sql: Sql, holder: string): void {
  if (sql.value('SELECT 1 FROM claims WHERE holder = ?', holder) === undefined) return
  sql.write(() => sql.run('DELETE FROM claims WHERE holder = ?', holder))
}
