import { InvalidInputError } from '@keepsake/text'
import { NotFoundError } from '../../errors/not-found-error.ts'
import { TurnConflictError } from '../../errors/turn-conflict-error.ts'
import type { Turn } from '../../turns/turn.ts'
import { erasedId } from '../erased-id.ts'
import type { AppendRequest, AppendResult, NewTurn, SessionRow } from '../store.ts'
import { queueJob } from './keep-jobs.ts'
import { encodeMetadata } from './define-functions.ts'
import { raiseOwner, readState, requireScope } from './keep-scopes.ts'
import { readSession } from './read-turns.ts'
import { inOneGo, type Steps } from './long-writer.ts'
import { amongList, type Sql } from './sql.ts'
import { writeDocument } from './write-documents.ts'

interface KnownTurn {
  readonly id: string
  readonly scope: number
  readonly session: string
  readonly role: string
  readonly speaker: string | null
  readonly text: string | null
}

/**
 * Stores turns with their session, index rows and jobs in one transaction.
 *
 * A turn is a repeat when its id is known in this scope with the same role, speaker and text (its time may
 * differ: clients that send again often stamp again), or was erased. Ids are unique within the owner, so an id
 * known in another of the owner's scopes is a conflict too. A session that gets a new turn is open again.
 *
 * @param home the process that stores them
 */
export function appendTurns(sql: Sql, request: AppendRequest, home: string): AppendResult {
  return sql.write(() => inOneGo(appendInSteps(sql, request, home)))
}

/** So many turns, or so many characters of one, are stored between two looks at the event loop: some milliseconds. */
const TURNS_OF_STEP = 50
const CHARACTERS_OF_STEP = 50_000

/** Whether turns are worth storing in steps. */
export function isMuch(turns: readonly NewTurn[]): boolean {
  const characters = turns.reduce((sum, { text }) => sum + text.length, 0)
  return turns.length >= 2 * TURNS_OF_STEP || (turns.length > 1 && characters >= 2 * CHARACTERS_OF_STEP)
}

/** The same, within a transaction that is begun already. */
export function* appendInSteps(sql: Sql, request: AppendRequest, home: string): Steps<AppendResult> {
  const { fresh, repeated } = yield* sortOutRepeats(sql, request)
  const inserted = fresh.length === 0 ? null : yield* insertTurns(sql, request, fresh)
  for (const job of request.jobs) queueJob(sql, request.owner, job, home)
  if (inserted !== null) return { ...inserted, repeated }
  requireScope(sql, request.owner, request.scope)
  const session = readSession(sql, request.scope, request.session) ?? sessionOfTurn(sql, request, repeated[0])
  return { added: [], repeated, session, ...readState(sql, request.owner) }
}

/** Lengthens the scope by so many turns. @returns how far it went before @throws NotFoundError for a scope that is not the owner's. */
function lengthenScope(sql: Sql, { owner, scope }: AppendRequest, by: number): number {
  const last = sql.value<number>`UPDATE scopes SET last_position = last_position + ${by}
    WHERE scope = ${scope} AND owner = ${owner} AND erased = 0 RETURNING last_position`
  if (last === undefined) throw new NotFoundError('scope', String(scope))
  return last - by
}

function* sortOutRepeats(
  sql: Sql,
  request: AppendRequest,
): Steps<{ readonly fresh: NewTurn[]; readonly repeated: string[] }> {
  const fresh = new Map<string, NewTurn>()
  const repeated: string[] = []
  const ids = request.turns.map(({ id }) => id)
  const seen = new Map<string, KnownTurn>()
  for (let from = 0; from < ids.length; from += 2 * TURNS_OF_STEP) {
    const some = ids.slice(from, from + 2 * TURNS_OF_STEP)
    for (const turn of findTurns(sql, request.owner, some)) seen.set(turn.id, turn)
    yield
  }
  for (const turn of request.turns) {
    // Of a thousand new turns none is known, and no id need be hashed again.
    const known = seen.size === 0 ? undefined : (seen.get(turn.id) ?? seen.get(erasedId(turn.id)))
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

/** Those of these ids that are known, by the ids under which they are kept: an erased turn's is hidden. */
function findTurns(sql: Sql, owner: number, ids: readonly string[]): KnownTurn[] {
  const kept = [...ids, ...ids.map(erasedId)]
  return sql.all<KnownTurn>`SELECT t.id, t.scope, s.id AS session, t.role, t.speaker, t.text
    FROM turns t JOIN sessions s ON s.session = t.session WHERE t.owner = ${owner} AND t.id ${amongList(kept)}`
}

function saysTheSame(known: Pick<KnownTurn, 'role' | 'speaker' | 'text'>, turn: NewTurn): boolean {
  if (known.text === null) return true
  return known.text === turn.text && known.role === turn.role && known.speaker === turn.speaker
}

function sessionOfTurn(sql: Sql, request: AppendRequest, turn: string | undefined): SessionRow {
  const [known] = turn === undefined ? [] : findTurns(sql, request.owner, [turn])
  const session = known === undefined ? undefined : readSession(sql, request.scope, known.session)
  if (session !== undefined) return session
  throw new InvalidInputError(`Session "${request.session}" is new, so it needs a turn to begin with.`, {
    session: request.session,
  })
}

function* insertTurns(
  sql: Sql,
  request: AppendRequest,
  fresh: readonly NewTurn[],
): Steps<Omit<AppendResult, 'repeated'>> {
  const { owner, scope } = request
  let position = lengthenScope(sql, request, fresh.length)
  const state = raiseOwner(sql, owner)
  const { row: inSession, session } = touchSession(sql, request, fresh, position)
  const added: Turn[] = []
  const written = { owner, revision: state.version.revision }
  for (const { document, ...turn } of fresh) {
    position += 1
    const row = insertTurn(sql, owner, inSession, { ...turn, scope, position })
    writeDocument(sql, 'turn', { ...written, row }, document)
    added.push({ ...turn, scope, session: request.session, position })
    if (added.length % TURNS_OF_STEP === 0 || turn.text.length >= CHARACTERS_OF_STEP) yield
  }
  return { added, session, ...state }
}

/** A turn in the session with that row number; its own row number. One that was erased has no text. */
export function insertTurn(
  sql: Sql,
  owner: number,
  session: number | undefined,
  turn: Omit<Turn, 'session' | 'text'> & { readonly text: string | null },
): number {
  const { id, scope, position, at, role, speaker, timeZone: time_zone, text } = turn
  const metadata = encodeMetadata(turn.metadata)
  const row = {
    owner,
    scope,
    session: session ?? null,
    position,
    at,
    role,
    speaker,
    time_zone,
    id,
    text,
    metadata,
  }
  return sql.insert('turns', row)
}

/** Makes or widens the session for the turns about to be added: as it is then, and its row number. */
function touchSession(
  sql: Sql,
  { scope, session: id }: AppendRequest,
  fresh: readonly NewTurn[],
  lastPosition: number,
): { readonly row: number; readonly session: SessionRow } {
  const times = fresh.map((turn) => turn.at)
  const started = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  const until = lastPosition + fresh.length
  const known = sql.get<SessionRow & { readonly row: number }>`UPDATE sessions
    SET started_at = min(started_at, ${started}), last_at = max(last_at, ${last}), ended_at = NULL, last_position = ${until}
    WHERE scope = ${scope} AND id = ${id}
    RETURNING session AS row, scope, id, number, started_at AS startedAt, last_at AS lastAt, ended_at AS endedAt`
  if (known !== undefined) {
    const { row, ...session } = known
    return { row, session }
  }
  const number =
    sql.value<number>`UPDATE scopes SET last_session = last_session + 1 WHERE scope = ${scope}
    RETURNING last_session` ?? 1
  const span = { started_at: started, last_at: last, first_position: lastPosition + 1, last_position: until }
  const row = sql.insert('sessions', { scope, id, number, ...span })
  return { row, session: { scope, id, number, startedAt: started, lastAt: last, endedAt: null } }
}
