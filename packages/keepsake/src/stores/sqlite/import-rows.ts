import { InvalidInputError } from '@keepsake/text'
import { NotPossibleError } from '../../errors/not-possible-error.ts'
import { projectLog } from '../../memories/apply-operation.ts'
import type { Operation } from '../../memories/operation.ts'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { ExportRow } from '../store.ts'
import { insertTurn } from './append-turns.ts'
import { insertJob } from './keep-jobs.ts'
import { ensureScope, listScopes, raiseRevision } from './keep-scopes.ts'
import type { Sql } from './sql.ts'
import { sqliteCode } from './translate-error.ts'
import { writeLog } from './write-log.ts'

type RowOf<Kind extends ExportRow['row']> = Extract<ExportRow, { row: Kind }>

/** Where an import stands: the person, their scopes by number in the export, and what the file has said so far. */
interface Reading {
  readonly owner: number
  readonly scopes: Map<number, ScopeRow>
  readonly operations: Operation[]
}

/** Reads an export back in one transaction. Memories are made from the log; nothing else could be trusted to fit it. */
export function importRows(sql: Sql, rows: readonly ExportRow[]): ScopeRow[] {
  const [header] = rows
  if (header?.row !== 'keepsake-export' || header.format !== 1) {
    throw new InvalidInputError('This is no export of Keepsake in format 1: its first line must say so.')
  }
  let line = 1
  try {
    return sql.write(() => {
      const reading = begin(sql, header, rows)
      for (const row of rows.slice(1)) {
        line += 1
        readRow(sql, reading, row)
      }
      writeOperations(sql, reading)
      return [...reading.scopes.values()]
    })
  } catch (error) {
    const constraint = sqliteCode(error)?.startsWith('SQLITE_CONSTRAINT') || error instanceof TypeError
    if (!constraint) throw error
    throw new InvalidInputError(
      `Line ${line} of the export is not well-formed. Nothing was imported.`,
      { line },
      error,
    )
  }
}

function begin(sql: Sql, header: RowOf<'keepsake-export'>, rows: readonly ExportRow[]): Reading {
  const { tenant, user } = header
  if (listScopes(sql, { tenant, user }).length > 0) {
    throw new NotPossibleError(
      `There are memories of user "${user}" of tenant "${tenant}" already. Erase them first, or import into another file.`,
      { tenant, user },
    )
  }
  const scopes = new Map<number, ScopeRow>()
  for (const row of rows) {
    if (row.row === 'scope')
      scopes.set(row.scope, ensureScope(sql, { tenant, user, agent: row.agent, app: row.app }))
  }
  const owner = scopes.values().next().value?.owner
  if (owner === undefined) throw new InvalidInputError('The export names no scope.')
  return { owner, scopes, operations: [] }
}

function scopeOf(reading: Reading, number: number): number {
  const scope = reading.scopes.get(number)
  if (scope === undefined)
    throw new InvalidInputError(`The export names scope ${number} and does not say which that is.`)
  return scope.scope
}

function readRow(sql: Sql, reading: Reading, row: ExportRow): void {
  switch (row.row) {
    case 'session':
      return readSession(sql, reading, row)
    case 'turn':
      return readTurn(sql, reading, row)
    case 'erased-turn':
      return readTurn(sql, reading, { ...row, speaker: null, text: null, timeZone: null })
    case 'operation': {
      const { row: _, ...operation } = row
      reading.operations.push({ ...operation, scope: scopeOf(reading, row.scope) })
      return
    }
    case 'progress':
      sql.insert('progress', {
        scope: scopeOf(reading, row.scope),
        branch: row.branch,
        position: row.position,
      })
      return
    case 'job':
      return readJob(sql, reading, row)
    case 'scope':
      return
    default:
      throw new InvalidInputError(
        `The export holds a line of kind "${row.row}", which this version does not know.`,
      )
  }
}

function readSession(sql: Sql, reading: Reading, row: RowOf<'session'>): void {
  const scope = scopeOf(reading, row.scope)
  const { id, number, startedAt: started_at, lastAt: last_at, endedAt: ended_at } = row
  const times = { started_at, last_at, ended_at }
  sql.insert('sessions', { scope, id, number, ...times, first_position: 0, last_position: 0 })
  sql.run`UPDATE scopes SET last_session = max(last_session, ${number}) WHERE scope = ${scope}`
}

type TurnRow = Omit<RowOf<'turn'>, 'row' | 'text'> & { readonly text: string | null }

function readTurn(sql: Sql, reading: Reading, row: TurnRow): void {
  const scope = scopeOf(reading, row.scope)
  const { position } = row
  const session = sql.value<number>`UPDATE sessions SET last_position = ${position},
    first_position = CASE first_position WHEN 0 THEN ${position} ELSE first_position END
    WHERE scope = ${scope} AND id = ${row.session} RETURNING session`
  insertTurn(sql, reading.owner, session, { metadata: null, ...row, scope })
  sql.run`UPDATE scopes SET last_position = max(last_position, ${position}) WHERE scope = ${scope}`
}

function readJob(sql: Sql, reading: Reading, row: RowOf<'job'>): void {
  // Two people's exports may carry one job id when one is a copy of the other under a new name.
  const taken = sql.value`SELECT 1 FROM jobs WHERE id = ${row.id}` !== undefined
  const id = taken ? `${row.id}:${reading.owner}` : row.id
  insertJob(sql, reading.owner, { ...row, id, scope: scopeOf(reading, row.scope) })
}

function writeOperations(sql: Sql, { owner, operations }: Reading): void {
  const revision = raiseRevision(sql, owner)
  operations.forEach((operation, index) => {
    if (operation.sequence === index + 1) return
    throw new InvalidInputError(
      `The export's log has a gap: operation ${index + 1} is missing. Nothing was imported.`,
    )
  })
  writeLog(sql, { owner, revision }, operations, [...projectLog(operations).values()])
}
