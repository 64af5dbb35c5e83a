import { NotFoundError, type ExportRow, type JobRow } from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { part } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { readJobs } from './keep-jobs.ts'
import { readOperations } from './read-operations.ts'
import { progressOf, sessionRows, turnRows } from './read-turns.ts'

/** Rows read at a time: no transaction stays open while whoever exports is slow. */
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
export async function* exportRows(database: Database, owner: number): AsyncGenerator<ExportRow> {
  const jobs = await readJobs(database, { owner })
  const snapshot = await database.transactions.readOn({ owner }, (sql) => takeSnapshot(sql, owner, jobs))
  const numbers = new Map(snapshot.scopes.map(({ scope, number }) => [scope, number]))
  yield* snapshot.first
  for (const scope of snapshot.scopes)
    for (let position = 0; position < scope.lastPosition;) {
      const batch = await readTurnBatch(database, owner, scope, position)
      yield* batch
      // Positions may lie far apart.
      const last = batch.at(-1)
      position = last === undefined || !('position' in last) ? scope.lastPosition : last.position
    }
  yield* readLog(database, owner, snapshot.sequence, numbers)
  yield* snapshot.last
}

/** The log up to a sequence, numbered afresh: what was gathered left gaps, and in an export a gap is a line that was lost. */
async function* readLog(
  database: Database,
  owner: number,
  upTo: number,
  scopes: ReadonlyMap<number, number>,
): AsyncGenerator<ExportRow> {
  let sequence = 0
  for (let after = 0; after < upTo;) {
    const batch = await readOperations(database, { owner, afterSequence: after, limit: BATCH })
    for (const operation of batch.filter((one) => one.sequence <= upTo)) {
      sequence += 1
      yield { row: 'operation', ...operation, sequence, scope: scopes.get(operation.scope) ?? 0 }
    }
    after = batch.at(-1)?.sequence ?? upTo
  }
}

async function takeSnapshot(sql: Sql, owner: number, jobs: readonly JobRow[]): Promise<Snapshot> {
  const key = await sql.get<{ tenant: string | null; person: string; sequence: number }>`
    SELECT tenant, person, sequence FROM owners WHERE owner = ${owner}`
  if (key === undefined || key.tenant === null) throw new NotFoundError('scope', String(owner))
  const rows = await sql.all<{
    scope: number
    agent: string | null
    app: string | null
    lastPosition: number
  }>`
    SELECT scope, agent, app, last_position AS "lastPosition" FROM scopes WHERE owner = ${owner} ORDER BY scope`
  const scopes = rows.map((row, index) => ({ ...row, number: index + 1 }))
  const numbers = new Map(scopes.map(({ scope, number }) => [scope, number]))
  const first: ExportRow[] = [{ row: 'keepsake-export', format: 1, tenant: key.tenant, user: key.person }]
  const last: ExportRow[] = []
  for (const { number: scope, agent, app } of scopes) first.push({ row: 'scope', scope, agent, app })
  for (const { scope: row, number: scope } of scopes) {
    for (const session of await sessionRows(sql, owner, [row]))
      first.push({ row: 'session', ...session, scope })
    for (const [branch, position] of Object.entries((await progressOf(sql, owner, row)).branches))
      last.push({ row: 'progress', scope, branch, position })
  }
  for (const { owner: _, ...job } of jobs)
    last.push({ row: 'job', ...job, scope: numbers.get(job.scope) ?? 0 })
  return { first, last, scopes, sequence: key.sequence }
}

async function readTurnBatch(
  { transactions }: Database,
  owner: number,
  { scope, number, lastPosition }: ExportedScope,
  after: number,
): Promise<ExportRow[]> {
  const batch = part`t.owner = ${owner} AND t.scope = ${scope} AND t.position > ${after} AND t.position <= ${lastPosition}`
  const rows = await transactions.read({ owner }, (sql) => turnRows(sql, batch, { limit: BATCH }))
  return rows.map(({ text, metadata, ...turn }): ExportRow => {
    if (text !== null)
      return { row: 'turn', ...turn, text, scope: number, ...(metadata === null ? {} : { metadata }) }
    const { id, session, position, role, at } = turn
    return { row: 'erased-turn', id, scope: number, session, position, role, at }
  })
}
