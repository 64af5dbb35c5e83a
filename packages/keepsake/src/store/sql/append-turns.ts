// Writes turns, their sessions and the jobs that consolidate them. Called by `Store.append`.
import { InvalidInputError, withoutAttachments } from '@keepsake/text'
import { TurnConflictError } from '../../errors/errors.ts'
import type { Turn } from '../../turns/turn.ts'
import type { AppendRequest, AppendResult, NewTurn, SessionRow } from '../store.ts'
import { documentRow, encodeJson, erasedId } from './encode-rows.ts'
import { queueJobs } from './jobs.ts'
import { lockScope, raiseRevision } from './scopes.ts'
import type { Transaction } from './sql-database.ts'
import { insertRows, statement, statementForIds } from './statements.ts'

interface KnownTurn {
  readonly id: string
  readonly scope_id: number
  readonly session: number
  readonly role: string
  readonly speaker: string | null
  readonly text: string | null
}

/** Stores turns with session, documents and jobs. A turn of known id, role, speaker and text is a repeat at any time. */
export async function appendTurns(tx: Transaction, request: AppendRequest): Promise<AppendResult> {
  const { userId, scope, jobs } = request
  const counters = await lockScope(tx, userId, scope)
  const { fresh, repeated } = await separateRepeats(tx, request)
  if (jobs.length > 0) await queueJobs(tx, userId, jobs)
  const { sequence } = counters
  if (fresh.length === 0) {
    const session = await findSessionOfRepeats(tx, request, repeated)
    return { added: [], repeated, session, revision: counters.revision, sequence }
  }
  const revision = await raiseRevision(tx, userId, counters)
  const session = await openSession(tx, request, fresh, counters.lastSession)
  const lastPosition = counters.lastPosition + fresh.length
  await updateScope(tx, {
    userId,
    scope,
    lastPosition,
    lastSession: Math.max(counters.lastSession, session.number),
  })
  const added = fresh.map((turn, index): Turn => {
    const { id, role, speaker, text, at, timeZone, metadata } = turn
    const position = counters.lastPosition + index + 1
    return { id, scope, session: request.session, position, role, speaker, text, at, timeZone, metadata }
  })
  const turnRows = added.map((turn) => turnRow(userId, revision, session.number, turn))
  await insertRows(tx, 'turns', turnRows)
  const documents = fresh.map(({ id, document }) => ({ ...document, id, kind: 'turn' as const }))
  const documentRows = documents.map((document) => documentRow(userId, revision, document))
  await insertRows(tx, 'documents', documentRows)
  return { added, repeated, session, revision, sequence }
}

/** The row of a turn. The text of an erased turn is `null`. */
export function turnRow(
  userId: number,
  revision: number,
  session: number,
  turn: Omit<Turn, 'text'> & { readonly text: string | null },
) {
  return {
    user_id: userId,
    scope_id: turn.scope,
    position: turn.position,
    id: turn.id,
    session,
    at: turn.at,
    role: turn.role,
    speaker: turn.speaker,
    time_zone: turn.timeZone,
    text: turn.text,
    metadata: encodeJson(turn.metadata),
    revision,
  }
}

const updateScope = statement(
  (db, row: { userId: number; scope: number; lastPosition: number; lastSession: number }) =>
    db
      .updateTable('scopes')
      .set({ last_position: row.lastPosition, last_session: row.lastSession })
      .where('user_id', '=', row.userId)
      .where('scope_id', '=', row.scope),
)

const KNOWN_TURN_COLUMNS = ['id', 'scope_id', 'session', 'role', 'speaker', 'text'] as const

const selectKnown = statementForIds((db, { userId }: { userId: number }, ids) =>
  db.selectFrom('turns').select(KNOWN_TURN_COLUMNS).where('user_id', '=', userId).where('id', 'in', ids),
)

/** Finds stored turns, by their stored ids. The stored id of an erased turn is its `erasedId`. */
async function findTurns(
  tx: Transaction,
  userId: number,
  ids: readonly string[],
): Promise<Map<string, KnownTurn>> {
  const found: KnownTurn[] = await selectKnown(tx, { userId }, [...ids, ...ids.map(erasedId)])
  return new Map(found.map((turn) => [turn.id, turn]))
}

async function separateRepeats(
  tx: Transaction,
  request: AppendRequest,
): Promise<{ readonly fresh: NewTurn[]; readonly repeated: string[] }> {
  const ids = request.turns.map(({ id }) => id)
  const stored = await findTurns(tx, request.userId, ids)
  const fresh = new Map<string, NewTurn>()
  const repeated: string[] = []
  for (const turn of request.turns) {
    const known = stored.size === 0 ? undefined : (stored.get(turn.id) ?? stored.get(erasedId(turn.id)))
    const first = fresh.get(turn.id)
    if (known !== undefined) {
      if (known.scope_id !== request.scope || !isSame(known, turn))
        throw new TurnConflictError(turn.id, await readSessionId(tx, request.userId, known))
      repeated.push(turn.id)
    } else if (first !== undefined) {
      if (!isSame(first, turn)) throw new TurnConflictError(turn.id, request.session)
      repeated.push(turn.id)
    } else fresh.set(turn.id, turn)
  }
  return { fresh: [...fresh.values()], repeated }
}

function isSame(known: Pick<KnownTurn, 'role' | 'speaker' | 'text'>, turn: NewTurn): boolean {
  if (known.text === null) return true
  // A model may describe the same attachment in other words, and older versions stored no attachments.
  const hasSameText = withoutAttachments(known.text) === withoutAttachments(turn.text)
  return hasSameText && known.role === turn.role && known.speaker === turn.speaker
}

async function readSessionId({ db }: Transaction, userId: number, turn: KnownTurn): Promise<string> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('scope_id', '=', turn.scope_id)
    .where('number', '=', turn.session)
    .executeTakeFirst()
  return row?.id ?? ''
}

export const SESSION_COLUMNS = [
  'scope_id as scope',
  'id',
  'number',
  'started_at as startedAt',
  'last_at as lastAt',
  'ended_at as endedAt',
] as const

const selectSession = statement((db, { userId, scope, id }: { userId: number; scope: number; id: string }) =>
  db
    .selectFrom('sessions')
    .select(SESSION_COLUMNS)
    .where('user_id', '=', userId)
    .where('scope_id', '=', scope)
    .where('id', '=', id),
)

/** Returns the named session, or, if that session does not exist, the session of the first repeated turn. */
async function findSessionOfRepeats(
  tx: Transaction,
  { userId, scope, session: id }: AppendRequest,
  repeated: readonly string[],
): Promise<SessionRow> {
  const [session] = await selectSession(tx, { userId, scope, id })
  if (session !== undefined) return session
  const [turn] = (await findTurns(tx, userId, repeated.slice(0, 1))).values()
  const repeatedIn = turn === undefined ? '' : await readSessionId(tx, userId, turn)
  const [firstSession] = await selectSession(tx, { userId, scope, id: repeatedIn })
  if (firstSession !== undefined) return firstSession
  throw new InvalidInputError(`Session "${id}" is new, so it needs a turn to begin with.`, { session: id })
}

/** Creates the session, or extends its times, for the turns that are added. */
async function openSession(
  tx: Transaction,
  { userId, scope, session: id }: AppendRequest,
  fresh: readonly NewTurn[],
  lastSession: number,
): Promise<SessionRow> {
  const [known] = await selectSession(tx, { userId, scope, id })
  const times = fresh.map((turn) => turn.at)
  const session: SessionRow = {
    scope,
    id,
    number: known?.number ?? lastSession + 1,
    startedAt: times.reduce((a, b) => Math.min(a, b), known?.startedAt ?? Infinity),
    lastAt: times.reduce((a, b) => Math.max(a, b), known?.lastAt ?? -Infinity),
    endedAt: null,
  }
  const { number, startedAt, lastAt } = session
  const row = {
    user_id: userId,
    scope_id: scope,
    id,
    number,
    started_at: startedAt,
    last_at: lastAt,
    ended_at: null,
  }
  await insertRows(tx, 'sessions', [row], { keys: ['user_id', 'scope_id', 'id'] })
  return session
}
