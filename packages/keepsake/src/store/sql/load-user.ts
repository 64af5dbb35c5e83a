// Reads a user's turns, memories and documents that changed after a revision.
import type { Kysely } from 'kysely'
import type { Turn } from '../../turns/turn.ts'
import type { LoadRequest, StoredMemory, UserRows } from '../store.ts'
import { SESSION_COLUMNS } from './append-turns.ts'
import { documentOf, memoryOf, turnOf, usageOf } from './encode-rows.ts'
import { loadScopes, readCounters } from './scopes.ts'
import type { Transaction } from './sql-database.ts'
import { statement } from './statements.ts'
import type { Tables } from './tables.ts'

interface LoadParameters {
  readonly [key: string]: number
  readonly userId: number
  readonly after: number
}

const selectTurns = (db: Kysely<Tables>, userId: number) =>
  db.selectFrom('turns').selectAll().where('user_id', '=', userId).where('text', 'is not', null)
const selectMemories = (db: Kysely<Tables>, userId: number) =>
  db
    .selectFrom('memories')
    .select(['id', 'scope_id', 'sequence', 'state'])
    .where('user_id', '=', userId)
    .orderBy('number')
const selectDocuments = (db: Kysely<Tables>, userId: number) =>
  db.selectFrom('documents').selectAll().where('user_id', '=', userId)

const allTurns = statement((db, { userId }: LoadParameters) =>
  selectTurns(db, userId).orderBy('scope_id').orderBy('position'),
)
const newTurns = statement((db, { userId, after }: LoadParameters) =>
  selectTurns(db, userId).where('revision', '>', after).orderBy('scope_id').orderBy('position'),
)
const allMemories = statement((db, { userId }: LoadParameters) => selectMemories(db, userId))
const newMemories = statement((db, { userId, after }: LoadParameters) =>
  selectMemories(db, userId).where('revision', '>', after),
)
const allDocuments = statement((db, { userId }: LoadParameters) => selectDocuments(db, userId))
const newDocuments = statement((db, { userId, after }: LoadParameters) =>
  selectDocuments(db, userId).where('revision', '>', after),
)
/** Usage is counted without a new revision, so rows with the same revision are read again. */
const usageSince = statement((db, { userId, after }: LoadParameters) =>
  db.selectFrom('usage').selectAll().where('user_id', '=', userId).where('revision', '>=', after),
)
const allSessions = statement((db, { userId }: { userId: number }) =>
  db
    .selectFrom('sessions')
    .select(SESSION_COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('scope_id')
    .orderBy('number'),
)

/** Loads what changed after a revision. Loads everything if content was erased since, or if nothing was loaded before. */
export async function loadUser(tx: Transaction, { userId, afterRevision }: LoadRequest): Promise<UserRows> {
  const { revision, erasedRevision, sequence } = await readCounters(tx, userId)
  const isWhole = afterRevision === 0 || afterRevision < erasedRevision
  const scopes = await loadScopes(tx, userId)
  const userState = { revision, erasedRevision, sequence, isWhole, scopes }
  if (!isWhole && revision <= afterRevision)
    return { ...userState, sessions: [], turns: [], memories: [], documents: [], usage: [] }
  const parameters = { userId, after: isWhole ? 0 : afterRevision }
  const turnRows = await (isWhole ? allTurns : newTurns)(tx, parameters)
  const sessions = await allSessions(tx, { userId })
  const sessionIds = new Map<number, Map<number, string>>()
  for (const { scope, number, id } of sessions) {
    const idsOfScope = sessionIds.get(scope) ?? new Map<number, string>()
    sessionIds.set(scope, idsOfScope.set(number, id))
  }
  const turns = turnRows.map((row) => turnOf(row, sessionIds.get(row.scope_id)?.get(row.session) ?? ''))
  const memories = (await (isWhole ? allMemories : newMemories)(tx, parameters)).map(memoryOf)
  shareIds(turns, memories)
  const documents = (await (isWhole ? allDocuments : newDocuments)(tx, parameters)).map(documentOf)
  const usage = (await usageSince(tx, parameters)).map(usageOf)
  return { ...userState, sessions, turns, memories, documents, usage }
}

/** Makes evidence share the string of its turn's id. This saves memory, and lookups need not compare characters. */
function shareIds(turns: readonly Turn[], memories: readonly StoredMemory[]): void {
  const ids = new Map(turns.map(({ id }) => [id, id]))
  for (const { memory } of memories)
    for (const source of memory.evidence as readonly { turn: string }[])
      source.turn = ids.get(source.turn) ?? source.turn
}
