import { randomUUID } from 'node:crypto'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { Claim, ClaimRequest, ClaimResult, JobRow, OwnerVersion } from '../store.ts'
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
  for (;;) {
    const { owner, isAny } =
      request.owner === undefined
        ? lookForWork(sql, claimant, request)
        : { owner: request.owner, isAny: true }
    if (owner === null) return { outcome: isAny ? 'held' : 'nothing' }
    const claim = sql.write(() => claimOf(sql, claimant, owner, request))
    if (claim !== undefined) return { outcome: 'claimed', claim }
    if (request.owner !== undefined) return { outcome: 'held' }
    // Another process was first since this one looked.
  }
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
    for (const id of ended) endClaim(sql, id)
    return claimWork(sql, claimant, request)
  })
}

/** Claims a person's work, unless somebody has it, or nothing is due of whoever was only the next. Within a write transaction. */
function claimOf(
  sql: Sql,
  { holder, now }: Claimant,
  owner: number,
  request: ClaimRequest,
): Claim | undefined {
  const told = whatIsQueued(sql, owner, now)
  if (request.owner === undefined && told.scopes.length === 0) return undefined
  const id = randomUUID()
  const taken = sql.run`INSERT INTO claims (owner, id, holder, until) VALUES (${owner}, ${id}, ${holder}, ${now + request.leaseMs})
    ON CONFLICT (owner) DO UPDATE SET id = excluded.id, holder = excluded.holder, until = excluded.until
      WHERE claims.until <= ${now} OR is_gone(claims.holder)`
  return taken === 0 ? undefined : { id, owner, ...told }
}

type Queued = Omit<JobRow, 'scope'> &
  ScopeRow &
  OwnerVersion & { readonly id: string | null; readonly isDue: number }

/** A person's queued jobs, the scopes of those that are due, and the version: one look. */
function whatIsQueued(sql: Sql, owner: number, now: number): Omit<Claim, 'id' | 'owner'> {
  const rows = sql.all<Queued>`SELECT o.owner, o.revision, o.epoch, s.scope, o.tenant, o.user, s.agent, s.app,
      j.id, j.due_at <= ${now} AS isDue, j.session, j.kind, j.branch, j.from_position AS "from", j.to_position AS "to",
      j.state, j.attempts, j.at, j.reason, j.answer
    FROM owners o JOIN scopes s ON s.owner = o.owner LEFT JOIN jobs j ON j.scope = s.scope AND j.state = 'queued'
    WHERE o.owner = ${owner} AND s.erased = 0 ORDER BY j.job`
  const [first] = rows
  if (first === undefined) return { scopes: [] }
  const { revision, epoch } = first
  const scopes = new Map<number, ScopeRow>()
  for (const { scope, tenant, user, agent, app, isDue } of rows)
    if (isDue === 1) scopes.set(scope, { owner, scope, tenant, user, agent, app })
  const inOrder = [...scopes.values()].sort((one, other) => one.scope - other.scope)
  return { scopes: inOrder, version: { revision, epoch }, jobs: rows.flatMap((row) => jobOf(row) ?? []) }
}

function jobOf(row: Queued): JobRow | null {
  const { id, owner, scope, session, kind, branch, from, to, state, attempts, at, reason, answer } = row
  if (id === null) return null
  return { id, owner, scope, session, kind, branch, from, to, state, attempts, at, reason, answer }
}

interface Work {
  /** `null`: nobody's work is free. */
  readonly owner: number | null
  /** Whether there is any that is due. */
  readonly isAny: boolean
}

/** Whose job has been due for longest, of those whose work nobody holds, and whether anybody's is due. */
function lookForWork(sql: Sql, claimant: Claimant, { leaveMs }: ClaimRequest): Work {
  const { now } = claimant
  const mine = leaveMs === undefined ? part`TRUE` : isMine(claimant)
  const next = part`SELECT j.owner
    FROM jobs j LEFT JOIN claims c ON c.owner = j.owner AND ${isHeld(now)}
    WHERE c.owner IS NULL AND ${isDue(now)} AND ${mine} ORDER BY j.job LIMIT 1`
  const found = sql.get<{ readonly owner: number | null; readonly isAny: number }>`SELECT (${next}) AS owner,
    EXISTS (SELECT 1 FROM jobs j WHERE ${isDue(now)}) AS isAny`
  return { owner: found?.owner ?? null, isAny: found?.isAny === 1 }
}

/** @returns whether it is still the caller's. */
export function renewClaim(sql: Sql, id: string, until: number): boolean {
  return sql.write(() => sql.run`UPDATE claims SET until = ${until} WHERE id = ${id}`) === 1
}

export function releaseClaim(sql: Sql, id: string): void {
  sql.write(() => endClaim(sql, id))
}

/** The same within a transaction. */
export function endClaim(sql: Sql, id: string): void {
  sql.run`DELETE FROM claims WHERE id = ${id}`
}

/** Gives back what a store that is closed held. */
export function releaseAll(sql: Sql, holder: string): void {
  if (sql.value`SELECT 1 FROM claims WHERE holder = ${holder}` === undefined) return
  sql.write(() => sql.run`DELETE FROM claims WHERE holder = ${holder}`)
}
