import { randomUUID } from 'node:crypto'
import {
  stateOfHolder,
  type Claim,
  type ClaimRequest,
  type ClaimResult,
  type JobRow,
  type ScopeRow,
} from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { part, type SqlPart } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { NOW } from './now.ts'

/** One in so many goes to whoever has waited longest, so that a process with more than it can do leaves nobody out. */
const FAIR_EVERY = 16

/** So many jobs are looked at for whether those are gone to whom they are left. */
const MOST_LEFT = 1_000

const IS_DUE = part`j.state = 'queued' AND j.due_at <= ${NOW}`
const IS_HELD = part`EXISTS (SELECT FROM claims c WHERE c.owner = j.owner AND c.until > ${NOW})`

/** What a look for work finds: a row a job that the person has queued, with its scope, or one without. */
interface Looked extends Omit<ScopeRow, 'owner' | 'scope'>, Omit<JobRow, 'owner' | 'scope' | 'id'> {
  /** `null`: nobody's work is free. */
  readonly owner: number | null
  readonly revision: number
  readonly epoch: number
  /** `null`: there is none. */
  readonly job: string | null
  readonly jobScope: number
  /** `null`: it was erased. */
  readonly scope: number | null
  readonly isDueNow: boolean
  readonly isTaken: boolean
  /** Where nothing was claimed: whether anything is due, who holds claims, and to whom work is left. */
  readonly isDue: boolean | null
  readonly holders: readonly string[] | null
}

/** Claims of this process. One that was given back stays as the mark of who worked for the person last, and has them at hand. */
export class ClaimKeeper {
  readonly #database: Database
  #asked = 0

  constructor(database: Database) {
    this.#database = database
  }

  /** Looks for somebody's work and claims it, in one way to the server; of two who try at once for one person, one looks on. */
  async claim(request: ClaimRequest): Promise<ClaimResult> {
    this.#asked += 1
    for (;;) {
      const id = randomUUID()
      const rows = await this.#look(request, id)
      const [first] = rows
      const owner = first?.owner ?? null
      if (owner !== null && first?.isTaken === true)
        return { outcome: 'claimed', claim: claimOf(nameOf(owner, id), owner, first, rows) }
      if (owner !== null && request.owner === undefined) continue
      if (await releaseDead(this.#database, first?.holders ?? [])) continue
      return { outcome: owner !== null || first?.isDue === true ? 'held' : 'nothing' }
    }
  }

  /** A row or none is locked and claimed by one statement: of many who look at once, each passes over whom the others are claiming. */
  #look({ owner, leaseMs, leaveMs = 0 }: ClaimRequest, id: string): Promise<Looked[]> {
    const { transactions, holder } = this.#database
    const next = owner === undefined ? this.#next(leaveMs) : part`next AS (SELECT ${owner}::bigint AS owner)`
    return transactions.once<Looked>(
      owner === undefined ? 'all' : { owner },
      part`WITH ${next}, taken AS (
          INSERT INTO claims (owner, id, holder, until)
          SELECT owner, owner || '/' || ${id}, ${holder}, ${NOW} + ${leaseMs} FROM next
          ON CONFLICT (owner) DO UPDATE SET id = excluded.id, holder = excluded.holder, until = excluded.until
          WHERE claims.until <= ${NOW} RETURNING owner)
        SELECT n.owner, t.owner IS NOT NULL AS "isTaken", o.revision, o.epoch, s.scope, o.tenant, o.person AS user, s.agent, s.app,
          j.id AS job, j.scope AS "jobScope", ${IS_DUE} AS "isDueNow", j.session, j.kind, j.branch, j.from_position AS "from",
          j.to_position AS "to", j.state, j.attempts, j.at, j.reason, j.answer,
          CASE WHEN t.owner IS NULL THEN EXISTS (SELECT FROM jobs j WHERE ${IS_DUE}) END AS "isDue",
          CASE WHEN t.owner IS NULL THEN ARRAY(SELECT holder FROM claims WHERE until > ${NOW}
            UNION (SELECT j.home FROM jobs j WHERE ${IS_DUE} AND j.home IS NOT NULL ORDER BY j.job LIMIT ${MOST_LEFT})) END AS holders
        FROM (SELECT (SELECT owner FROM next) AS owner) n LEFT JOIN taken t ON t.owner = n.owner
          LEFT JOIN owners o ON o.owner = t.owner
          LEFT JOIN jobs j ON j.owner = o.owner AND j.state = 'queued'
          LEFT JOIN scopes s ON s.owner = j.owner AND s.scope = j.scope AND NOT s.erased
        ORDER BY j.job`,
    )
  }

  /** Whose turn it is: people at hand before others, whose work was left for a while to who has them at hand. */
  #next(leaveMs: number): SqlPart {
    const ofHome = firstFree(part`j.home = ${this.#database.holder}`)
    const ofAnybody = firstFree(part`(j.home IS NULL OR j.due_at <= ${NOW} - ${leaveMs})`)
    const order = this.#asked % FAIR_EVERY === 0 ? [ofAnybody, ofHome] : [ofHome, ofAnybody]
    return part`one AS (${order[0] ?? ofHome}), other AS (${order[1] ?? ofAnybody}),
      next AS (SELECT owner FROM one UNION ALL SELECT owner FROM other LIMIT 1)`
  }
}

function firstFree(condition: SqlPart): SqlPart {
  return part`SELECT j.owner FROM jobs j WHERE ${IS_DUE} AND ${condition} AND NOT ${IS_HELD}
    ORDER BY j.job LIMIT 1 FOR UPDATE SKIP LOCKED`
}

/** What was claimed, with all that whoever claimed it asks next. */
function claimOf(id: string, owner: number, { revision, epoch }: Looked, rows: readonly Looked[]): Claim {
  const scopes = new Map<number, ScopeRow>()
  for (const { scope, tenant, user, agent, app, isDueNow } of rows)
    if (scope !== null && isDueNow) scopes.set(scope, { owner, scope, tenant, user, agent, app })
  const inOrder = [...scopes.values()].sort((one, other) => one.scope - other.scope)
  const jobs = rows.flatMap((row) => jobOf(owner, row) ?? [])
  return { id, owner, scopes: inOrder, version: { revision, epoch }, jobs }
}

function jobOf(owner: number, row: Looked): JobRow | null {
  const {
    job: id,
    jobScope: scope,
    session,
    kind,
    branch,
    from,
    to,
    state,
    attempts,
    at,
    reason,
    answer,
  } = row
  if (id === null) return null
  return { id, owner, scope, session, kind, branch, from, to, state, attempts, at, reason, answer }
}

/** Gives back what processes of this machine held that are gone, and leaves them nothing. @returns whether there was anything */
async function releaseDead({ transactions }: Database, holders: readonly string[]): Promise<boolean> {
  const dead = holders.filter((holder) => stateOfHolder(holder) === 'dead')
  if (dead.length === 0) return false
  const released = await transactions.once(
    'all',
    part`WITH left_over AS (UPDATE jobs SET home = NULL WHERE home = ANY(${dead}) RETURNING 1),
        given_back AS (DELETE FROM claims WHERE holder = ANY(${dead}) RETURNING 1)
      SELECT FROM left_over UNION ALL SELECT FROM given_back`,
  )
  return released.length > 0
}

/** A claim's id begins with its owner: whoever renews it says whose rows that is about. */
function nameOf(owner: number, id: string): string {
  return `${owner}/${id}`
}

function ownerOf(claim: string): number {
  const owner = Number(claim.split('/')[0])
  return Number.isSafeInteger(owner) ? owner : 0
}

/** @returns whether it is still the caller's. */
export async function renewClaim({ transactions }: Database, id: string, leaseMs: number): Promise<boolean> {
  const owner = ownerOf(id)
  const renewed = await transactions.once(
    { owner },
    part`UPDATE claims SET until = ${NOW} + ${leaseMs} WHERE owner = ${owner} AND id = ${id} AND until > 0 RETURNING owner`,
  )
  return renewed.length === 1
}

export async function releaseClaim({ transactions }: Database, id: string): Promise<void> {
  const owner = ownerOf(id)
  await transactions.once({ owner }, part`UPDATE claims SET until = 0 WHERE owner = ${owner} AND id = ${id}`)
}

/** The same within a transaction. */
export function endClaims(sql: Sql, owner: number, ids: readonly string[]): void {
  if (ids.length > 0) sql.send`UPDATE claims SET until = 0 WHERE owner = ${owner} AND id = ANY(${ids})`
}

/** Gives back what a store that is closed held; it has nobody at hand any more. */
export async function releaseAll({ transactions, holder }: Database): Promise<void> {
  await transactions.once('all', part`DELETE FROM claims WHERE holder = ${holder}`)
}
