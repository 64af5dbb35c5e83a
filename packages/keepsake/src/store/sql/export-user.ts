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
import { createScope, listScopes, loadScopes, lockUser, raiseRevision, readCounters } from './scopes.ts'
import type { SqlClient, Transaction } from './sql-database.ts'
import { insertRows } from './statements.ts'

/** Rows read in one transaction. Other calls may run between two batches. */
const ROWS_PER_BATCH = 100

interface ExportedScope {
  readonly scope: number
  readonly number: number
  readonly lastPosition: number
}

/** Ids of sessions by `scope/number`. */
type SessionIds = ReadonlyMap<string, string>

/** The rows that an export reads at its start: all but turns and operations. `sequence` and the scopes say where these end. */
interface Snapshot {
  /** Rows before the turns. */
  readonly first: readonly ExportRow[]
  /** Rows after the operations. */
  readonly last: readonly ExportRow[]
  readonly scopes: readonly ExportedScope[]
  readonly sessions: SessionIds
  readonly sequence: number
}

/** Exports the rows that a user has at the start, except those erased meanwhile. Scopes are numbered from 1, so that copies are equal. */
export async function* exportUser(client: SqlClient, userId: number): AsyncGenerator<ExportRow> {
  const { first, last, scopes, sessions, sequence } = await client.read(userId, (tx) =>
    takeSnapshot(tx, userId),
  )
  yield* first
  for (const scope of scopes)
    for (let after = 0; after < scope.lastPosition;) {
      const batch = await client.read(userId, (tx) => readTurns(tx, userId, { scope, after, sessions }))
      yield* batch
      const lastRow = batch.at(-1)
      after = lastRow !== undefined && 'position' in lastRow ? lastRow.position : scope.lastPosition
    }
  const numbers = new Map(scopes.map(({ scope, number }) => [scope, number]))
  let line = 0
  for (let after = 0; after < sequence;) {
    const query = { userId, afterSequence: after, beforeSequence: sequence + 1, limit: ROWS_PER_BATCH }
    const batch = await client.read(userId, (tx) => listOperations(tx, query))
    for (const operation of batch) {
      line += 1
      // Operations are numbered without gaps, so that an import can detect a lost line.
      yield { row: 'operation', ...operation, sequence: line, scope: numbers.get(operation.scope) ?? 0 }
    }
    after = batch.at(-1)?.sequence ?? sequence
  }
  yield* last
}

async function takeSnapshot(tx: Transaction, userId: number): Promise<Snapshot> {
  const { sequence } = await readCounters(tx, userId)
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
  for (const { owner: _, nextTryAt: _next, ...job } of await listJobs(tx, { owner: userId }))
    last.push({ row: 'job', ...job, scope: numbers.get(job.scope) ?? 0 })
  const record = await getRecord(tx, GUIDELINES, String(userId))
  for (const { number, ...scope } of scopes) {
    const guidelines = record?.value[partOf(scope)] as Guidelines | undefined
    if (guidelines !== undefined) last.push({ row: 'guidelines', ...guidelines, scope: number })
  }
  const sessionIds = new Map(sessions.map(({ scope, number, id }) => [`${scope}/${number}`, id]))
  return { first, last, scopes, sessions: sessionIds, sequence }
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
  readonly sessions: SessionIds
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
    .limit(ROWS_PER_BATCH)
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

/** The rows that an import has read so far. */
interface ImportState {
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

/** Imports an export in one transaction. Memories are projected from the log, so that they always match it. */
export async function importUser(tx: Transaction, rows: readonly ExportRow[]): Promise<ScopeRow[]> {
  const [header] = rows
  if (header?.row !== 'keepsake-export' || header.format !== 1)
    throw new InvalidInputError('This is no export of Keepsake in format 1: its first line must say so.')
  let line = 1
  try {
    const state = await beginImport(tx, header, rows)
    for (const row of rows.slice(1)) {
      line += 1
      await importRow(tx, state, row)
      await yieldToEventLoop()
    }
    await insertRows(tx, 'turns', state.turns)
    await finishImport(tx, state)
    return [...state.scopes.values()]
  } catch (error) {
    if (error instanceof KeepsakeError || !(error instanceof Error) || !isMalformed(error)) throw error
    throw new InvalidInputError(
      `Line ${line} of the export is not well-formed. Nothing was imported.`,
      { line },
      error,
    )
  }
}

/** Whether the database refused a row. Postgres has error class 22 for invalid values and 23 for broken constraints. */
function isMalformed(error: Error): boolean {
  if (error instanceof TypeError) return true
  const code = 'code' in error ? String(error.code) : ''
  return code.startsWith('SQLITE_CONSTRAINT') || /^2[23]/.test(code)
}

async function beginImport(
  tx: Transaction,
  header: RowOf<'keepsake-export'>,
  rows: readonly ExportRow[],
): Promise<ImportState> {
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
  const revision = (await readCounters(tx, userId)).revision + 1
  const maps = { sessions: new Map(), lastPosition: new Map(), lastSession: new Map() }
  return { userId, revision, scopes, ...maps, operations: [], turns: [], guidelines: new Map() }
}

function scopeOf(state: ImportState, number: number): number {
  return rowOf(state, number).scope
}

function rowOf({ scopes }: ImportState, number: number): ScopeRow {
  const scope = scopes.get(number)
  if (scope === undefined)
    throw new InvalidInputError(`The export names scope ${number} and does not say which that is.`)
  return scope
}

async function importRow(tx: Transaction, state: ImportState, row: ExportRow): Promise<void> {
  const { userId } = state
  switch (row.row) {
    case 'session':
      return importSession(tx, state, row)
    case 'turn':
      return importTurn(state, row)
    case 'erased-turn':
      return importTurn(state, { ...row, speaker: null, text: null, timeZone: null })
    case 'operation': {
      const { row: _, ...operation } = row
      state.operations.push({ ...operation, scope: scopeOf(state, row.scope) })
      return
    }
    case 'progress': {
      const { branch, position } = row
      const progress = { user_id: userId, scope_id: scopeOf(state, row.scope), branch, position }
      return insertRows(tx, 'progress', [progress])
    }
    case 'usage':
      return insertRows(tx, 'usage', [{ ...usageRow(userId, row), revision: state.revision }])
    case 'job':
      return insertJobs(tx, userId, [{ ...row, scope: scopeOf(state, row.scope) }])
    case 'guidelines': {
      const { keep, never } = row
      state.guidelines.set(partOf(rowOf(state, row.scope)), { keep, never })
      return
    }
    case 'scope':
      // `beginImport` has created all scopes.
      return
    default:
      throw new InvalidInputError(
        `The export holds a line of kind "${row.row}", which this version does not know.`,
      )
  }
}

async function importSession(tx: Transaction, state: ImportState, row: RowOf<'session'>): Promise<void> {
  const scope = scopeOf(state, row.scope)
  const { id, number, startedAt: started_at, lastAt: last_at, endedAt: ended_at } = row
  const session = { user_id: state.userId, scope_id: scope, id, number, started_at, last_at, ended_at }
  await insertRows(tx, 'sessions', [session])
  state.sessions.set(`${scope}/${id}`, number)
  state.lastSession.set(scope, Math.max(state.lastSession.get(scope) ?? 0, number))
}

type ImportedTurn = Omit<RowOf<'turn'>, 'row' | 'text'> & { readonly text: string | null }

function importTurn(state: ImportState, row: ImportedTurn): void {
  const scope = scopeOf(state, row.scope)
  const session = state.sessions.get(`${scope}/${row.session}`)
  if (session === undefined)
    throw new InvalidInputError(
      `Turn "${row.id}" is of session "${row.session}", which the export does not hold.`,
    )
  const { userId, revision } = state
  state.turns.push(turnRow(userId, revision, session, { ...row, metadata: row.metadata ?? null, scope }))
  state.lastPosition.set(scope, Math.max(state.lastPosition.get(scope) ?? 0, row.position))
}

async function finishImport(tx: Transaction, state: ImportState): Promise<void> {
  const { userId, revision, operations } = state
  const gap = operations.findIndex((operation, index) => operation.sequence !== index + 1)
  if (gap !== -1)
    throw new InvalidInputError(
      `The export's log has a gap: operation ${gap + 1} is missing. Nothing was imported.`,
    )
  for (const { scope } of state.scopes.values())
    await tx.db
      .updateTable('scopes')
      .set({
        last_position: state.lastPosition.get(scope) ?? 0,
        last_session: state.lastSession.get(scope) ?? 0,
      })
      .where('user_id', '=', userId)
      .where('scope_id', '=', scope)
      .execute()
  if (state.guidelines.size > 0) {
    const value = Object.fromEntries(state.guidelines) as unknown as Metadata
    await putRecord(tx, { collection: GUIDELINES, key: String(userId), owner: userId, value })
  }
  await writeLog(tx, { userId, revision }, operations, [...projectLog(operations).values()])
  await raiseRevision(tx, userId, await lockUser(tx, userId), operations.length)
}
