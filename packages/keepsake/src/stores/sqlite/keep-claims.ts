import { randomUUID } from 'node:crypto'
import type { ClaimRequest, ClaimResult } from '../store.ts'
import { scopeRows } from './keep-scopes.ts'
import { part, type Sql, type SqlPart } from './sql.ts'

/** Who claims, and when it is by the store's clock. */
export interface Claimant {
  readonly holder: string
  readonly now: number
}

/** A claim that counts: not lapsed, and its process not known to be gone. */
const isHeld = (now: number): SqlPart => part`c.until > ${now} AND NOT is_gone(c.holder)`
const isDue = (now: number): SqlPart => part`j.state = 'queued' AND j.due_at <= ${now}`

/** So long work is left to the process that queued it, as long as that runs: another would have to read the person first, and keep them in memory too. */
const LEFT_MS = 10_000

/** Whether a job is for the claimant to do now: nobody else's who runs, or left to them for long enough. A time to come is a clock's that was set back. */
const isMine = ({ holder, now }: Claimant): SqlPart =>
  part`(j.home IS NULL OR j.home = ${holder} OR j.at NOT BETWEEN ${now - LEFT_MS} AND ${now} OR is_gone(j.home))`

/** Looks before it takes the write lock: most looks for work find none. */
export function claimWork(sql: Sql, claimant: Claimant, request: ClaimRequest): ClaimResult {
  const { now } = claimant
  if (request.owner === undefined && nextOwner(sql, claimant, request) === undefined) return noWork(sql, now)
  return sql.write(() => claimNow(sql, claimant, request))
}

/** Gives claims back and claims, in one transaction: who has done one person's work goes on with the next one's. */
export function turnOverWork(
  sql: Sql,
  claimant: Claimant,
  ended: readonly string[],
  request: ClaimRequest,
): ClaimResult {
  if (ended.length === 0) return claimWork(sql, claimant, request)
  return sql.write(() => {
    for (const id of ended) sql.run`DELETE FROM claims WHERE id = ${id}`
    return claimNow(sql, claimant, request)
  })
}

function claimNow(sql: Sql, claimant: Claimant, request: ClaimRequest): ClaimResult {
  const { holder, now } = claimant
  const owner = request.owner ?? nextOwner(sql, claimant, request)
  if (owner === undefined) return noWork(sql, now)
  // Whoever is next is nobody's.
  const held =
    request.owner === undefined
      ? undefined
      : sql.value`SELECT 1 FROM claims c WHERE c.owner = ${owner} AND ${isHeld(now)}`
  if (held !== undefined) return { outcome: 'held' }
  const id = randomUUID()
  sql.replace('claims', { owner, id, holder, until: now + request.leaseMs })
  const due = part`s.scope IN (SELECT j.scope FROM jobs j WHERE j.owner = ${owner} AND ${isDue(now)})`
  return { outcome: 'claimed', claim: { id, owner, scopes: scopeRows(sql, due) } }
}

/** Whose job has been due for longest, of those whose work nobody holds. */
function nextOwner(sql: Sql, claimant: Claimant, { leaveMs }: ClaimRequest): number | undefined {
  const { now } = claimant
  const mine = leaveMs === undefined ? part`TRUE` : isMine(claimant)
  return sql.value<number>`SELECT j.owner
    FROM jobs j LEFT JOIN claims c ON c.owner = j.owner AND ${isHeld(now)}
    WHERE c.owner IS NULL AND ${isDue(now)} AND ${mine} ORDER BY j.job LIMIT 1`
}

function noWork(sql: Sql, now: number): ClaimResult {
  const due = sql.value`SELECT 1 FROM jobs j WHERE ${isDue(now)} LIMIT 1`
  return { outcome: due === undefined ? 'nothing' : 'held' }
}

/** @returns whether it is still the caller's. */
export function renewClaim(sql: Sql, id: string, until: number): boolean {
  return sql.write(() => sql.run`UPDATE claims SET until = ${until} WHERE id = ${id}`) === 1
}

export function releaseClaim(sql: Sql, id: string): void {
  sql.write(() => sql.run`DELETE FROM claims WHERE id = ${id}`)
}

/** Gives back what a store that is closed held. */
export function releaseAll(sql: Sql, holder: string): void {
  if (sql.value`SELECT 1 FROM claims WHERE holder = ${holder}` === undefined) return
  sql.write(() => sql.run`DELETE FROM claims WHERE holder = ${holder}`)
}
