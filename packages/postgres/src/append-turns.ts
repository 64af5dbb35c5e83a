import {
  encodeTerms,
  encodeVector,
  erasedId,
  InvalidInputError,
  TurnConflictError,
  type AppendRequest,
  type AppendResult,
  type NewTurn,
  type SessionRow,
  type Turn,
} from 'keepsake/store-kit'
import type { Row, Sql } from './connection/sql.ts'
import type { Database } from './database.ts'
import { queueJob } from './keep-jobs.ts'
import { lockPerson, requireScopes, writePerson, type Person } from './keep-scopes.ts'
import { encodeMetadata } from './metadata.ts'
import type { Names } from './names.ts'
import { readSessionsNamed } from './read-turns.ts'

interface KnownTurn {
  readonly id: string
  readonly scope: number
  readonly session: string
  readonly role: string
  readonly speaker: string | null
  readonly text: string | null
}

/** What stands where an append begins, read under the person's lock. */
interface Standing {
  readonly person: Person
  readonly lastPosition: number
  readonly lastSession: number
  readonly known: ReadonlyMap<string, KnownTurn>
  /** The session named in the request, and those of turns that are known. */
  readonly sessions: ReadonlyMap<string, SessionRow>
}

/**
 * Stores turns with their session, index rows and jobs in one transaction: one way to the server to lock and look, one to write.
 *
 * A turn is a repeat when its id is known in this scope with the same role, speaker and text (its time may
 * differ: clients that send again often stamp again), or was erased. Ids are unique within the owner, so an id
 * known in another of the owner's scopes is a conflict too. A session that gets a new turn is open again.
 */
export async function appendTurns(database: Database, request: AppendRequest): Promise<AppendResult> {
  const { owner } = request
  const { holder } = database
  const homes = new Set<string>()
  await database.names.know(request.turns.flatMap(({ document }) => [document.analyser, document.embedder]))
  const result = await database.transactions.write({ owner }, async (sql) => {
    const standing = await readStanding(sql, request)
    const { fresh, repeated } = sortOutRepeats(standing, request)
    const person = fresh.length === 0 ? standing.person : advance(standing.person, fresh.length)
    const session = sessionAfter(standing, request, fresh, repeated)
    const added =
      fresh.length === 0
        ? []
        : insertFresh(sql, database.names, { request, standing, person, session }, fresh)
    for (const job of request.jobs) queueJob(sql, owner, job, { holder, homes })
    const { revision, epoch, sequence } = person
    return { added, repeated, session, version: { revision, epoch }, sequence }
  })
  database.tellOfWork(homes)
  const { added, sequence } = result
  const [first] = added
  if (first !== undefined)
    database.tellOfChanges([
      { owner, sequence, turns: [{ scope: request.scope, position: first.position - 1 }], erasures: 0 },
    ])
  return result
}

async function readStanding(sql: Sql, { owner, scope, session, turns }: AppendRequest): Promise<Standing> {
  const [person, counters, known, sessions] = await Promise.all([
    lockPerson(sql, owner),
    sql.cells<readonly [number, number]>`SELECT last_position, last_session FROM scopes
      WHERE owner = ${owner} AND scope = ${scope} AND NOT erased`,
    findTurns(
      sql,
      owner,
      turns.map(({ id }) => id),
    ),
    readSessionsNamed(sql, owner, scope, [session]),
  ])
  requireScopes(new Set(counters.map(() => scope)), [scope])
  const others = [...new Set(known.filter((turn) => turn.scope === scope).map((turn) => turn.session))]
  const repeats = others.some((id) => id !== session)
    ? await readSessionsNamed(sql, owner, scope, others)
    : []
  const [[lastPosition, lastSession] = [0, 0]] = counters
  return {
    person,
    lastPosition,
    lastSession,
    known: new Map(known.map((turn) => [turn.id, turn])),
    sessions: new Map([...repeats, ...sessions].map((row) => [row.id, row])),
  }
}

/** Those of these ids that are known, by the ids under which they are kept: an erased turn's is hidden. */
function findTurns(sql: Sql, owner: number, ids: readonly string[]): Promise<KnownTurn[]> {
  const kept = [...ids, ...ids.map(erasedId)]
  return sql.all<KnownTurn>`SELECT t.id, t.scope, s.id AS session, t.role, t.speaker, t.text
    FROM turns t JOIN sessions s ON s.owner = t.owner AND s.scope = t.scope AND s.number = t.session
    WHERE t.owner = ${owner} AND t.id = ANY(${kept})`
}

function sortOutRepeats(
  standing: Standing,
  request: AppendRequest,
): { fresh: NewTurn[]; repeated: string[] } {
  const fresh = new Map<string, NewTurn>()
  const repeated: string[] = []
  for (const turn of request.turns) {
    const known = standing.known.get(turn.id) ?? standing.known.get(erasedId(turn.id))
    const first = fresh.get(turn.id)
    if (known !== undefined) {
      if (known.scope !== request.scope || !saysTheSame(known, turn))
        throw new TurnConflictError(turn.id, known.session)
      repeated.push(turn.id)
    } else if (first !== undefined) {
      if (!saysTheSame(first, turn)) throw new TurnConflictError(turn.id, request.session)
      repeated.push(turn.id)
    } else fresh.set(turn.id, turn)
  }
  return { fresh: [...fresh.values()], repeated }
}

function saysTheSame(known: Pick<KnownTurn, 'role' | 'speaker' | 'text'>, turn: NewTurn): boolean {
  if (known.text === null) return true
  return known.text === turn.text && known.role === turn.role && known.speaker === turn.speaker
}

/** Counters with the turns that come; the revision rises once. */
function advance(person: Person, turns: number): Person {
  return { ...person, revision: person.revision + 1, turns: person.turns + turns }
}

/** The session as the append leaves it: made, or wider and open again; that of a repeat where nothing is new. */
function sessionAfter(
  standing: Standing,
  request: AppendRequest,
  fresh: readonly NewTurn[],
  repeated: readonly string[],
): SessionRow {
  const known = standing.sessions.get(request.session)
  if (fresh.length === 0) {
    const [first = ''] = repeated
    const of = standing.known.get(first) ?? standing.known.get(erasedId(first))
    const session = known ?? (of === undefined ? undefined : standing.sessions.get(of.session))
    if (session !== undefined) return session
    throw new InvalidInputError(`Session "${request.session}" is new, so it needs a turn to begin with.`, {
      session: request.session,
    })
  }
  const times = fresh.map((turn) => turn.at)
  const startedAt = times.reduce((a, b) => Math.min(a, b), known?.startedAt ?? Infinity)
  const lastAt = times.reduce((a, b) => Math.max(a, b), known?.lastAt ?? -Infinity)
  const number = known?.number ?? standing.lastSession + 1
  return { scope: request.scope, id: request.session, number, startedAt, lastAt, endedAt: null }
}

interface Appending {
  readonly request: AppendRequest
  readonly standing: Standing
  /** With the counters that the append leaves. */
  readonly person: Person
  readonly session: SessionRow
}

function insertFresh(
  sql: Sql,
  names: Names,
  { request, standing, person, session }: Appending,
  fresh: readonly NewTurn[],
): Turn[] {
  const { owner, scope } = request
  const lastPosition = standing.lastPosition + fresh.length
  const added = fresh.map((given, index) => {
    const { document: _, ...turn } = given
    return { ...turn, scope, session: session.id, position: standing.lastPosition + index + 1 }
  })
  const rows = added.map((turn, index) => ({
    ...turnRow(turn, { owner, session: session.number, turn: standing.person.turns + index + 1 }),
    revision: person.revision,
    ...documentColumns(names, fresh[index]?.document),
  }))
  sql.insert('turns', rows)
  writeSession(sql, owner, session, [standing.lastPosition + 1, lastPosition])
  sql.send`UPDATE scopes SET last_position = ${lastPosition}, last_session = greatest(last_session, ${session.number})
    WHERE owner = ${owner} AND scope = ${scope}`
  writePerson(sql, person)
  return added
}

/** Makes a session, or widens it. */
function writeSession(
  sql: Sql,
  owner: number,
  session: SessionRow,
  [first, last]: readonly [number, number],
): void {
  const { scope, id, number, startedAt, lastAt } = session
  sql.send`INSERT INTO sessions (owner, scope, id, number, started_at, last_at, first_position, last_position)
    VALUES (${owner}, ${scope}, ${id}, ${number}, ${startedAt}, ${lastAt}, ${first}, ${last})
    ON CONFLICT (owner, scope, id) DO UPDATE SET started_at = excluded.started_at, last_at = excluded.last_at,
      ended_at = NULL, last_position = excluded.last_position`
}

/** A turn's columns, without its index row. One that was erased has no text. */
export function turnRow(
  turn: Omit<Turn, 'text' | 'session'> & { readonly text: string | null },
  numbers: { readonly owner: number; readonly session: number; readonly turn: number },
): Row {
  const { id, scope, position, at, role, speaker, timeZone: time_zone, text } = turn
  const metadata = encodeMetadata(turn.metadata)
  return { ...numbers, scope, position, at, role, speaker, time_zone, id, text, metadata }
}

/** The columns of an index row. */
export function documentColumns(names: Names, document: NewTurn['document'] | undefined): Row {
  if (document === undefined) return {}
  const { analyser, embedder, traits, terms, vector } = document
  return {
    analyser: names.numberOf(analyser),
    embedder: embedder === null ? null : names.numberOf(embedder),
    traits,
    terms: encodeTerms(terms),
    vector: encodeVector(vector),
  }
}
