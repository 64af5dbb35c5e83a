import {
  InvalidInputError,
  NotPossibleError,
  projectLog,
  type ExportRow,
  type Operation,
  type ScopeRow,
  type SessionRow,
} from 'keepsake/store-kit'
import { turnRow } from './append-turns.ts'
import type { Row, Sql } from './connection/sql.ts'
import { turnTo } from './connection/transactions.ts'
import type { Database } from './database.ts'
import { lockPerson, makePerson, makeScope, writePerson } from './keep-scopes.ts'
import { originsOf, readLogStanding, writeLog } from './write-log.ts'

type RowOf<Kind extends ExportRow['row']> = Extract<ExportRow, { row: Kind }>

/** A turn of an export; one that was erased has no text. */
type TurnRow = Omit<RowOf<'turn'>, 'row' | 'text'> & { readonly text: string | null }

/** What an export says, sorted by what it is about; scopes by their numbers in the export. */
interface Told {
  readonly header: RowOf<'keepsake-export'>
  readonly scopes: readonly RowOf<'scope'>[]
  readonly sessions: readonly RowOf<'session'>[]
  readonly turns: readonly TurnRow[]
  readonly operations: readonly RowOf<'operation'>[]
  readonly progress: readonly RowOf<'progress'>[]
  readonly jobs: readonly RowOf<'job'>[]
}

/** Reads an export back in one transaction. Memories are made from the log; nothing else could be trusted to fit it. */
export async function importRows(database: Database, rows: readonly ExportRow[]): Promise<ScopeRow[]> {
  const told = readExport(rows)
  const operations = told.operations.map((line) => {
    const { row: _, ...operation } = line
    return operation
  })
  await database.names.know(originsOf(operations))
  const scopes = await database.transactions.write('all', async (sql) => {
    const { tenant, user } = told.header
    const { owner, isNew } = await makePerson(sql, { tenant, user })
    if (!isNew) refusePerson(told.header)
    await turnTo(sql, owner)
    const made = new Map<number, ScopeRow>()
    for (const { scope, agent, app } of told.scopes)
      made.set(scope, await makeScope(sql, owner, { tenant, user, agent, app }))
    const scopeOf = (number: number): number => made.get(number)?.scope ?? refuseScope(number)
    await writeTurns(sql, owner, told, scopeOf)
    await writeSmall(sql, owner, told, scopeOf)
    await writeOperations(
      sql,
      database,
      owner,
      operations.map((one) => ({ ...one, scope: scopeOf(one.scope) })),
    )
    return [...made.values()]
  })
  if (told.jobs.length > 0) database.tellOfWork([database.holder])
  return scopes
}

function refusePerson({ tenant, user }: RowOf<'keepsake-export'>): never {
  throw new NotPossibleError(
    `There are memories of user "${user}" of tenant "${tenant}" already. Erase them first, or import into another store.`,
    { tenant, user },
  )
}

function refuseScope(number: number): never {
  throw new InvalidInputError(`The export names scope ${number} and does not say which that is.`)
}

function refuseLine(line: number): never {
  throw new InvalidInputError(`Line ${line} of the export is not well-formed. Nothing was imported.`, {
    line,
  })
}

/** @throws InvalidInputError for what could not be kept as it stands, naming the line */
function readExport(rows: readonly ExportRow[]): Told {
  const [header] = rows
  if (header?.row !== 'keepsake-export' || header.format !== 1)
    throw new InvalidInputError('This is no export of Keepsake in format 1: its first line must say so.')
  const told = { scopes: [], sessions: [], turns: [], operations: [], progress: [], jobs: [] } as {
    -readonly [Part in Exclude<keyof Told, 'header'>]: Told[Part][number][]
  }
  const seen = new Set<string>()
  for (const [index, row] of rows.entries()) {
    if (index > 0) sortRow(told, row)
    for (const key of keysOf(row)) {
      if (seen.has(key)) refuseLine(index + 1)
      seen.add(key)
    }
  }
  if (told.scopes.length === 0) throw new InvalidInputError('The export names no scope.')
  return { header, ...told }
}

function sortRow(
  told: { -readonly [Part in Exclude<keyof Told, 'header'>]: Told[Part][number][] },
  row: ExportRow,
): void {
  switch (row.row) {
    case 'scope':
      return void told.scopes.push(row)
    case 'session':
      return void told.sessions.push(row)
    case 'turn':
      return void told.turns.push(row)
    case 'erased-turn':
      return void told.turns.push({ ...row, speaker: null, text: null, timeZone: null })
    case 'operation':
      return void told.operations.push(row)
    case 'progress':
      return void told.progress.push(row)
    case 'job':
      return void told.jobs.push(row)
    default:
      throw new InvalidInputError(
        `The export holds a line of kind "${row.row}", which this version does not know.`,
      )
  }
}

/** What no two lines may have in common. */
function keysOf(row: ExportRow): string[] {
  switch (row.row) {
    case 'turn':
    case 'erased-turn':
      return [`turn ${row.id}`, `position ${row.scope} ${row.position}`]
    case 'session':
      return [`session ${row.scope} ${row.id}`]
    case 'operation':
      return [`operation ${row.id}`]
    case 'progress':
      return [`progress ${row.scope} ${row.branch}`]
    case 'job':
      return [`job ${row.id}`]
    default:
      return []
  }
}

type ScopeOf = (number: number) => number

async function writeTurns(sql: Sql, owner: number, told: Told, scopeOf: ScopeOf): Promise<void> {
  const numbers = new Map(told.sessions.map(({ scope, id, number }) => [JSON.stringify([scope, id]), number]))
  const spans = new Map<string, [first: number, last: number]>()
  const rows = told.turns.map((turn, index): Row => {
    const session = JSON.stringify([turn.scope, turn.session])
    const number = numbers.get(session) ?? refuseSession(turn)
    const [first] = spans.get(session) ?? [turn.position]
    spans.set(session, [first, turn.position])
    const scope = scopeOf(turn.scope)
    return {
      ...turnRow({ metadata: null, ...turn, scope }, { owner, session: number, turn: index + 1 }),
      revision: 0,
    }
  })
  sql.insert('turns', rows)
  sql.insert(
    'sessions',
    told.sessions.map((session) => ({
      ...sessionColumns(session),
      ...spanOf(spans.get(JSON.stringify([session.scope, session.id]))),
      owner,
      scope: scopeOf(session.scope),
    })),
  )
  for (const [number, { positions, sessions }] of countersOf(told))
    sql.send`UPDATE scopes SET last_position = ${positions}, last_session = ${sessions}
      WHERE owner = ${owner} AND scope = ${scopeOf(number)}`
}

function refuseSession({ id }: TurnRow): never {
  throw new InvalidInputError(`Turn "${id}" of the export is in a session that it does not name.`, {
    turn: id,
  })
}

function sessionColumns({ id, number, startedAt, lastAt, endedAt }: SessionRow): Row {
  return { id, number, started_at: startedAt, last_at: lastAt, ended_at: endedAt }
}

function spanOf([first, last]: readonly [number, number] = [0, 0]): Row {
  return { first_position: first, last_position: last }
}

/** The last position and session of each scope. */
function countersOf({ turns, sessions }: Told): Map<number, { positions: number; sessions: number }> {
  const counters = new Map<number, { positions: number; sessions: number }>()
  const of = (scope: number): { positions: number; sessions: number } => {
    const known = counters.get(scope) ?? { positions: 0, sessions: 0 }
    counters.set(scope, known)
    return known
  }
  for (const { scope, position } of turns) of(scope).positions = Math.max(of(scope).positions, position)
  for (const { scope, number } of sessions) of(scope).sessions = Math.max(of(scope).sessions, number)
  return counters
}

async function writeSmall(
  sql: Sql,
  owner: number,
  { progress, jobs }: Told,
  scopeOf: ScopeOf,
): Promise<void> {
  sql.insert(
    'progress',
    progress.map(({ scope, branch, position }) => ({ owner, scope: scopeOf(scope), branch, position })),
  )
  // Two people's exports may carry one job id when one is a copy of the other under a new name.
  const ids = jobs.map(({ id }) => id)
  const taken = new Set(
    (await sql.cells<readonly [string]>`SELECT id FROM jobs WHERE id = ANY(${ids})`).map(([id]) => id),
  )
  sql.insert(
    'jobs',
    jobs.map((job) => ({
      owner,
      id: taken.has(job.id) ? `${job.id}:${owner}` : job.id,
      scope: scopeOf(job.scope),
      session: job.session,
      kind: job.kind,
      branch: job.branch ?? null,
      from_position: job.from ?? null,
      to_position: job.to ?? null,
      state: job.state,
      attempts: job.attempts,
      at: job.at,
      reason: job.reason,
      answer: job.answer ?? null,
    })),
  )
}

async function writeOperations(
  sql: Sql,
  { names }: Database,
  owner: number,
  operations: readonly Operation[],
): Promise<void> {
  operations.forEach((operation, index) => {
    if (operation.sequence === index + 1) return
    throw new InvalidInputError(
      `The export's log has a gap: operation ${index + 1} is missing. Nothing was imported.`,
    )
  })
  await sql.settle()
  const person = await lockPerson(sql, owner)
  const turns = await sql.value<number>`SELECT count(*) FROM turns WHERE owner = ${owner}`
  const change = {
    person: { ...person, revision: person.revision + 1, turns: turns ?? 0 },
    operations,
    memories: [...projectLog(operations).values()],
  }
  const standing = await readLogStanding(sql, owner, change)
  writePerson(sql, writeLog(sql, names, change, standing).person)
}
