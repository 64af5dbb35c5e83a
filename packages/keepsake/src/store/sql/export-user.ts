// Reads all rows of a user for an export, and writes them back on import.
import { CompiledQuery } from 'kysely'
import { InvalidInputError, KeepsakeError } from '@keepsake/text'
import type { Metadata } from '@keepsake/text/names'
import { NotFoundError, NotPossibleError } from '../../errors/errors.ts'
import { yieldToEventLoop } from '../../yield-to-event-loop.ts'
import { GUIDELINES, partOf, type Guidelines } from '../../guidelines/guidelines.ts'
import { projectLog } from '../../memories/apply-operation.ts'
import type { Operation } from '../../memories/operation.ts'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { ExportRow, UsageCount } from '../store.ts'
import { turnRow } from './append-turns.ts'
import { writeLog } from './commit-change.ts'
import { decodeMetadata, turnOf, usageOf, usageRow } from './encode-rows.ts'
import { insertJobs, listJobs } from './jobs.ts'
import { getRecord, putRecord } from './records.ts'
import { listOperations, listSessions } from './list-rows.ts'
import { createScope, listScopes, loadScopes, lockUser, raiseRevision, readMark } from './scopes.ts'
import { insertRows, type SqlClient, type Transaction } from './sql-database.ts'

/** Rows read at a time: between batches other calls may run. */
const BATCH = 100

interface ExportedScope {
  readonly scope: number
  readonly number: number
  readonly lastPosition: number
}

/** Sessions' ids by `scope/number`. */
type SessionNames = ReadonlyMap<string, string>

interface Snapshot {
  readonly first: readonly ExportRow[]
  readonly last: readonly ExportRow[]
  readonly scopes: readonly ExportedScope[]
  readonly sessions: SessionNames
  readonly sequence: number
}

/**
 * Every row of a user as it was when the first was asked for. Scopes are numbered from 1, so that an export is the same
 * wherever it is read back. What is erased meanwhile is not exported.
 */
export async function* exportUser(client: SqlClient, userId: number): AsyncGenerator<ExportRow> {
  const { first, last, scopes, sessions, sequence } = await client.read(userId, (tx) =>
    takeSnapshot(tx, userId),
  )
  yield* first
  for (const scope of scopes)
    for (let after = 0; after < scope.lastPosition;) {
      const batch = await client.read(userId, (tx) => readTurns(tx, userId, { scope, after, sessions }))
      yield* batch
      const end = batch.at(-1)
      after = end !== undefined && 'position' in end ? end.position : scope.lastPosition
    }
  const numbers = new Map(scopes.map(({ scope, number }) => [scope, number]))
  let line = 0
  for (let after = 0; after < sequence;) {
    const query = { userId, afterSequence: after, beforeSequence: sequence + 1, limit: BATCH }
    const batch = await client.read(userId, (tx) => listOperations(tx, query))
    for (const operation of batch) {
      line += 1
      // Numbered without gaps: in an export a gap is a line that was lost.
      yield { row: 'operation', ...operation, sequence: line, scope: numbers.get(operation.scope) ?? 0 }
    }
    after = batch.at(-1)?.sequence ?? sequence
  }
  yield* last
}

async function takeSnapshot(tx: Transaction, userId: number): Promise<Snapshot> {
  const { sequence } = await readMark(tx, userId)
  const rows = await loadScopes(tx, userId)
  const [general] = rows
  if (general === undefined) throw new NotFoundError('scope', String(userId))
  const scopes = rows.map((row, index) => ({ ...row, number: index + 1 }))
  const { tenant, user } = general
  const first: ExportRow[] = [{ row: 'keepsake-export', format: 1, tenant, user }]
  const last: ExportRow[] = []
  const numbers = new Map(scopes.map(({ scope, number }) => [scope, number]))
  for (const { number: scope, agent, app } of scopes) first.push({ row: 'scope', scope, agent, app })
  const sessions = await listSessions(tx, { userId, scopes: rows.map(({ scope }) => scope) })
  for (const session of sessions)
    first.push({ row: 'session', ...session, scope: numbers.get(session.scope) ?? 0 })
  for (const { number: scope, branches } of scopes)
    for (const [branch, position] of Object.entries(branches))
      last.push({ row: 'progress', scope, branch, position })
  for (const count of await readUsage(tx, userId)) last.push({ row: 'usage', ...count })
  for (const { owner: _, ...job } of await listJobs(tx, { owner: userId }))
    last.push({ row: 'job', ...job, scope: numbers.get(job.scope) ?? 0 })
  const record = await getRecord(tx, GUIDELINES, String(userId))
  for (const { number, ...scope } of scopes) {
    const own = record?.value[partOf(scope)] as Guidelines | undefined
    if (own !== undefined) last.push({ row: 'guidelines', ...own, scope: number })
  }
  const names = new Map(sessions.map(({ scope, number, id }) => [`${scope}/${number}`, id]))
  return { first, last, scopes, sessions: names, sequence }
}

async function readUsage({ db }: Transaction, userId: number): Promise<UsageCount[]> {
  const rows = await db
    .selectFrom('usage')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('memory_id')
    .execute()
  return rows.map(usageOf)
}

interface TurnBatch {
  readonly scope: ExportedScope
  readonly after: number
  readonly sessions: SessionNames
}

async function readTurns({ db }: Transaction, userId: number, batch: TurnBatch): Promise<ExportRow[]> {
  const { scope, after, sessions } = batch
  const rows = await db
    .selectFrom('turns')
    .selectAll()
    .where('user_id', '=', userId)
    .where('scope_id', '=', scope.scope)
    .where('position', '>', after)
    .where('position', '<=', scope.lastPosition)
    .orderBy('position')
    .limit(BATCH)
    .execute()
  return rows.map((row): ExportRow => {
    const session = sessions.get(`${scope.scope}/${row.session}`) ?? ''
    const { metadata: _, ...turn } = turnOf(row, session)
    const metadata = decodeMetadata(row.metadata)
    if (row.text !== null)
      return { row: 'turn', ...turn, scope: scope.number, ...(metadata === null ? {} : { metadata }) }
    const { id, position, role, at } = turn
    return { row: 'erased-turn', id, scope: scope.number, session, position, role, at }
  })
}

type RowOf<Kind extends ExportRow['row']> = Extract<ExportRow, { row: Kind }>

/** What an import has read so far. */
interface Import {
  readonly userId: number
  readonly revision: number
  /** Scopes by their number in the export. */
  readonly scopes: Map<number, ScopeRow>
  readonly sessions: Map<string, number>
  readonly lastPosition: Map<number, number>
  readonly lastSession: Map<number, number>
  readonly operations: Operation[]
  readonly turns: ReturnType<typeof turnRow>[]
  readonly guidelines: Map<string, Guidelines>
}

/** Imports an export in one transaction. Memories are made from the log: nothing else could be trusted to fit it. */
export async function importUser(tx: Transaction, rows: readonly ExportRow[]): Promise<ScopeRow[]> {
  const [header] = rows
  if (header?.row !== 'keepsake-export' || header.format !== 1)
    throw new InvalidInputError('This is no export of Keepsake in format 1: its first line must say so.')
  let line = 1
  try {
    const reading = await begin(tx, header, rows)
    for (const row of rows.slice(1)) {
      line += 1
      await readRow(tx, reading, row)
      await yieldToEventLoop()
    }
    await insertRows(tx, 'turns', reading.turns)
    await finish(tx, reading)
    return [...reading.scopes.values()]
  } catch (error) {
    const isOurs = error instanceof KeepsakeError
    if (isOurs || !(error instanceof Error) || !isMalformed(error)) throw error
    throw new InvalidInputError(
      `Line ${line} of the export is not well-formed. Nothing was imported.`,
      { line },
      error,
    )
  }
}

/** Whether a database refused a row: SQLite names the constraint, Postgres has class 22 for values and 23 for constraints. */
function isMalformed(error: Error): boolean {
  if (error instanceof TypeError) return true
  const code = 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_CONSTRAINT') || /^2[23]/.test(code)
}

async function begin(
  tx: Transaction,
  header: RowOf<'keepsake-export'>,
  rows: readonly ExportRow[],
): Promise<Import> {
  const { tenant, user } = header
  if ((await listScopes(tx, { tenant, user, limit: 1 })).length > 0)
    throw new NotPossibleError(
      `There are memories of user "${user}" of tenant "${tenant}" already. Erase them first, or import into another store.`,
      { tenant, user },
    )
  const scopes = new Map<number, ScopeRow>()
  for (const row of rows)
    if (row.row === 'scope')
      scopes.set(row.scope, await createScope(tx, { tenant, user, agent: row.agent, app: row.app }))
  const userId = scopes.values().next().value?.owner
  if (userId === undefined) throw new InvalidInputError('The export names no scope.')
  const enter = tx.database.enter(userId)
  if (enter !== null) await tx.db.executeQuery(CompiledQuery.raw(enter))
  const revision = (await readMark(tx, userId)).revision + 1
  const maps = { sessions: new Map(), lastPosition: new Map(), lastSession: new Map() }
  return { userId, revision, scopes, ...maps, operations: [], turns: [], guidelines: new Map() }
}

function scopeOf(reading: Import, number: number): number {
  return rowOf(reading, number).scope
}

function rowOf({ scopes }: Import, number: number): ScopeRow {
  const scope = scopes.get(number)
  if (scope === undefined)
    throw new InvalidInputError(`The export names scope ${number} and does not say which that is.`)
  return scope
}

async function readRow(tx: Transaction, reading: Import, row: ExportRow): Promise<void> {
  const { userId } = reading
  switch (row.row) {
    case 'session':
      return readSession(tx, reading, row)
    case 'turn':
      return readTurn(reading, row)
    case 'erased-turn':
      return readTurn(reading, { ...row, speaker: null, text: null, timeZone: null })
    case 'operation': {
      const { row: _, ...operation } = row
      reading.operations.push({ ...operation, scope: scopeOf(reading, row.scope) })
      return
    }
    case 'progress': {
      const { branch, position } = row
      const own = { user_id: userId, scope_id: scopeOf(reading, row.scope), branch, position }
      return insertRows(tx, 'progress', [own])
    }
    case 'usage':
      return insertRows(tx, 'usage', [{ ...usageRow(userId, row), revision: reading.revision }])
    case 'job':
      return insertJobs(tx, userId, [{ ...row, scope: scopeOf(reading, row.scope) }])
    case 'guidelines': {
      const { keep, never } = row
      reading.guidelines.set(partOf(rowOf(reading, row.scope)), { keep, never })
      return
    }
    case 'scope':
      return
    default:
      throw new InvalidInputError(
        `The export holds a line of kind "${row.row}", which this version does not know.`,
      )
  }
}

async function readSession(tx: Transaction, reading: Import, row: RowOf<'session'>): Promise<void> {
  const scope = scopeOf(reading, row.scope)
  const { id, number, startedAt: started_at, lastAt: last_at, endedAt: ended_at } = row
  const own = { user_id: reading.userId, scope_id: scope, id, number, started_at, last_at, ended_at }
  await insertRows(tx, 'sessions', [own])
  reading.sessions.set(`${scope}/${id}`, number)
  reading.lastSession.set(scope, Math.max(reading.lastSession.get(scope) ?? 0, number))
}

type ImportedTurn = Omit<RowOf<'turn'>, 'row' | 'text'> & { readonly text: string | null }

function readTurn(reading: Import, row: ImportedTurn): void {
  const scope = scopeOf(reading, row.scope)
  const session = reading.sessions.get(`${scope}/${row.session}`)
  if (session === undefined)
    throw new InvalidInputError(
      `Turn "${row.id}" is of session "${row.session}", which the export does not hold.`,
    )
  const { userId, revision } = reading
  reading.turns.push(turnRow(userId, revision, session, { ...row, metadata: row.metadata ?? null, scope }))
  reading.lastPosition.set(scope, Math.max(reading.lastPosition.get(scope) ?? 0, row.position))
}

async function finish(tx: Transaction, reading: Import): Promise<void> {
  const { userId, revision, operations } = reading
  const gap = operations.findIndex((operation, index) => operation.sequence !== index + 1)
  if (gap !== -1)
    throw new InvalidInputError(
      `The export's log has a gap: operation ${gap + 1} is missing. Nothing was imported.`,
    )
  for (const { scope } of reading.scopes.values())
    await tx.db
      .updateTable('scopes')
      .set({
        last_position: reading.lastPosition.get(scope) ?? 0,
        last_session: reading.lastSession.get(scope) ?? 0,
      })
      .where('user_id', '=', userId)
      .where('scope_id', '=', scope)
      .execute()
  if (reading.guidelines.size > 0) {
    const value = Object.fromEntries(reading.guidelines) as unknown as Metadata
    await putRecord(tx, { collection: GUIDELINES, key: String(userId), owner: userId, value })
  }
  await writeLog(tx, { userId, revision }, operations, [...projectLog(operations).values()])
  await raiseRevision(tx, userId, await lockUser(tx, userId), operations.length)
}
