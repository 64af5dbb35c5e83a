import { randomUUID } from 'node:crypto'
import { stateOfHolder, type ClaimRequest, type ClaimResult } from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { part } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { scopeRows } from './keep-scopes.ts'
import { NOW } from './now.ts'

/** Claims need not outlive a failure of power: their processes do not. */
const UNFLUSHED = { flush: false }

const IS_DUE = part`j.state = 'queued' AND j.due_at <= ${NOW}`
const IS_HELD = part`EXISTS (SELECT FROM claims c WHERE c.owner = j.owner AND c.until > ${NOW})`

/** Looks for whoever has waited longest, and claims their work; of two who try at once, one goes on to the next. */
export async function claimWork(
  database: Database,
  holder: string,
  request: ClaimRequest,
): Promise<ClaimResult> {
  if (request.owner !== undefined) {
    const claimed = await claim(database, holder, { ...request, owner: request.owner })
    if (claimed.outcome === 'claimed' || !(await releaseDead(database))) return claimed
    return claim(database, holder, { ...request, owner: request.owner })
  }
  for (;;) {
    const owner = await nextOwner(database)
    if (owner !== undefined) {
      const claimed = await claim(database, holder, { ...request, owner })
      if (claimed.outcome === 'claimed') return claimed
    } else if (!(await releaseDead(database))) return noWork(database)
  }
}

/** Passes over people whom others are claiming at this moment. */
function nextOwner({ transactions }: Database): Promise<number | undefined> {
  return transactions.write(
    'all',
    (sql) => sql.value<number>`SELECT j.owner FROM jobs j WHERE ${IS_DUE} AND NOT ${IS_HELD}
      ORDER BY j.job LIMIT 1 FOR UPDATE SKIP LOCKED`,
    UNFLUSHED,
  )
}

async function noWork({ transactions }: Database): Promise<ClaimResult> {
  const due = await transactions.read('all', (sql) => sql.value`SELECT 1 FROM jobs j WHERE ${IS_DUE} LIMIT 1`)
  return { outcome: due === undefined ? 'nothing' : 'held' }
}

/** A claim's id begins with its owner: whoever renews it says whose rows that is about. */
function claim(
  { transactions }: Database,
  holder: string,
  { owner, leaseMs }: Required<ClaimRequest>,
): Promise<ClaimResult> {
  const id = `${owner}/${randomUUID()}`
  return transactions.write(
    { owner },
    async (sql): Promise<ClaimResult> => {
      const [taken, scopes] = await Promise.all([
        takeClaim(sql, { owner, id, holder, leaseMs }),
        dueScopes(sql, owner),
      ])
      return taken ? { outcome: 'claimed', claim: { id, owner, scopes } } : { outcome: 'held' }
    },
    UNFLUSHED,
  )
}

async function takeClaim(
  sql: Sql,
  { owner, id, holder, leaseMs }: { owner: number; id: string; holder: string; leaseMs: number },
): Promise<boolean> {
  const taken = await sql.run`INSERT INTO claims (owner, id, holder, until)
    VALUES (${owner}, ${id}, ${holder}, ${NOW} + ${leaseMs})
    ON CONFLICT (owner) DO UPDATE SET id = excluded.id, holder = excluded.holder, until = excluded.until
    WHERE claims.until <= ${NOW}`
  return taken === 1
}

function dueScopes(sql: Sql, owner: number): ReturnType<typeof scopeRows> {
  const due = part`SELECT j.scope FROM jobs j WHERE j.owner = ${owner} AND ${IS_DUE}`
  return scopeRows(sql, part`o.owner = ${owner} AND s.owner = ${owner} AND s.scope IN (${due})`)
}

/** Gives back what processes of this machine held that are gone. @returns whether there were any */
async function releaseDead({ transactions }: Database): Promise<boolean> {
  const holders = await transactions.read(
    'all',
    (sql) => sql.cells<readonly [string]>`SELECT DISTINCT holder FROM claims WHERE until > ${NOW}`,
  )
  const dead = holders.map(([holder]) => holder).filter((holder) => stateOfHolder(holder) === 'dead')
  if (dead.length === 0) return false
  const released = await transactions.write(
    'all',
    (sql) => sql.run`DELETE FROM claims WHERE holder = ANY(${dead})`,
    UNFLUSHED,
  )
  return released > 0
}

function ownerOf(claim: string): number {
  const owner = Number(claim.split('/')[0])
  return Number.isSafeInteger(owner) ? owner : 0
}

/** @returns whether it is still the caller's. */
export async function renewClaim({ transactions }: Database, id: string, leaseMs: number): Promise<boolean> {
  const owner = ownerOf(id)
  const renewed = await transactions.write(
    { owner },
    (sql) => sql.run`UPDATE claims SET until = ${NOW} + ${leaseMs} WHERE owner = ${owner} AND id = ${id}`,
    UNFLUSHED,
  )
  return renewed === 1
}

export async function releaseClaim({ transactions }: Database, id: string): Promise<void> {
  const owner = ownerOf(id)
  await transactions.write(
    { owner },
    (sql) => sql.run`DELETE FROM claims WHERE owner = ${owner} AND id = ${id}`,
    UNFLUSHED,
  )
}

/** Gives back what a store that is closed held. */
export async function releaseAll({ transactions }: Database, holder: string): Promise<void> {
  await transactions.write('all', (sql) => sql.run`DELETE FROM claims WHERE holder = ${holder}`, UNFLUSHED)
}
