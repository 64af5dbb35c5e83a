import type { ExportRow } from '../store.ts'
import { NotFoundError } from '../../errors/not-found-error.ts'
import { readJobs } from './keep-jobs.ts'
import { readOperations } from './read-operations.ts'
import { readProgress, readSessions, turnRows } from './read-turns.ts'
import { part, type Sql } from './sql.ts'

/** Rows read at a time: between batches other calls may run, and no statement stays open. */
const BATCH = 500

/** A scope's row, its number in the export (1 for the person's first), and the position of its last turn. */
interface ExportedScope {
  readonly scope: number
  readonly number: number
  readonly lastPosition: number
}

/** What an export says of small tables is read at once; turns and operations are read up to these marks. */
interface Snapshot {
  readonly first: readonly ExportRow[]
  readonly last: readonly ExportRow[]
  readonly scopes: readonly ExportedScope[]
  readonly sequence: number
}

/**
 * Every row of an owner as it was when the first was asked for. Scopes are numbered from 1 in an export, so
 * that it says the same wherever it is read back. What is erased meanwhile is not exported.
 */
export function* exportRows(sql: Sql, owner: number): Generator<ExportRow> {
  const snapshot = sql.read(() => takeSnapshot(sql, owner))
  const numbers = new Map(snapshot.scopes.map(({ scope, number }) => [scope, number]))
  yield* snapshot.first
  for (const scope of snapshot.scopes) {
    let next = nextPosition(sql, scope, 0)
    while (next !== null) {
      yield* readTurnBatch(sql, scope, next - 1)
      next = nextPosition(sql, scope, next - 1 + BATCH)
    }
  }
  yield* readLog(sql, owner, snapshot.sequence, numbers)
  yield* snapshot.last
}

/** The log up to a sequence, numbered afresh: what was gathered left gaps, and in an export a gap is a line that was lost. */
function* readLog(
  sql: Sql,
  owner: number,
  upTo: number,
  scopes: ReadonlyMap<number, number>,
): Generator<ExportRow> {
  let sequence = 0
  for (let after = 0; after < upTo;) {
    const batch = readOperations(sql, { owner, afterSequence: after, limit: BATCH })
    for (const operation of batch.filter((one) => one.sequence <= upTo)) {
      sequence += 1
      yield { row: 'operation', ...operation, sequence, scope: scopes.get(operation.scope) ?? 0 }
    }
    after = batch.at(-1)?.sequence ?? upTo
  }
}

function takeSnapshot(sql: Sql, owner: number): Snapshot {
  const key = sql.get<{ tenant: string | null; user: string | null; sequence: number }>`
    SELECT tenant, user, sequence FROM owners WHERE owner = ${owner}`
  if (key === undefined || key.tenant === null || key.user === null)
    throw new NotFoundError('scope', String(owner))
  const rows = sql.all<{ scope: number; agent: string | null; app: string | null; lastPosition: number }>`
    SELECT scope, agent, app, last_position AS lastPosition FROM scopes WHERE owner = ${owner} ORDER BY scope`
  const scopes = rows.map((row, index) => ({ ...row, number: index + 1 }))
  const numbers = new Map(scopes.map(({ scope, number }) => [scope, number]))
  const first: ExportRow[] = [{ row: 'keepsake-export', format: 1, tenant: key.tenant, user: key.user }]
  const last: ExportRow[] = []
  for (const { number: scope, agent, app } of scopes) first.push({ row: 'scope', scope, agent, app })
  for (const { scope: row, number: scope } of scopes) {
    for (const session of readSessions(sql, owner, [row])) first.push({ row: 'session', ...session, scope })
    for (const [branch, position] of Object.entries(readProgress(sql, owner, row).branches)) {
      last.push({ row: 'progress', scope, branch, position })
    }
  }
  for (const { owner: _, ...job } of readJobs(sql, { owner })) {
    last.push({ row: 'job', ...job, scope: numbers.get(job.scope) ?? 0 })
  }
  return { first, last, scopes, sequence: key.sequence }
}

/** Where the next turn stands: positions may lie far apart. */
function nextPosition(sql: Sql, { scope, lastPosition }: ExportedScope, after: number): number | null {
  return (
    sql.value<number | null>`SELECT min(position) FROM turns
    WHERE scope = ${scope} AND position > ${after} AND position <= ${lastPosition}` ?? null
  )
}

function readTurnBatch(sql: Sql, { scope, number, lastPosition }: ExportedScope, after: number): ExportRow[] {
  const upTo = Math.min(after + BATCH, lastPosition)
  const batch = part`t.scope = ${scope} AND t.position > ${after} AND t.position <= ${upTo}`
  return turnRows(sql, batch).map(({ text, metadata, ...turn }): ExportRow => {
    if (text !== null)
      return { row: 'turn', ...turn, text, scope: number, ...(metadata === null ? {} : { metadata }) }
    const { id, session, position, role, at } = turn
    return { row: 'erased-turn', id, scope: number, session, position, role, at }
  })
}
