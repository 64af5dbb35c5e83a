// Reads a user's turns, memories and documents that changed after a revision.
import type { Kysely } from 'kysely'
import type { Turn } from '../../turns/turn.ts'
import type { LoadRequest, StoredMemory, UserRows } from '../store.ts'
import { SESSION } from './append-turns.ts'
import { documentOf, memoryOf, turnOf, usageOf } from './encode-rows.ts'
import { loadScopes, readMark } from './scopes.ts'
import { statement, type Transaction } from './sql-database.ts'
import type { Tables } from './tables.ts'

interface After {
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

const allTurns = statement((db, { userId }: After) =>
  selectTurns(db, userId).orderBy('scope_id').orderBy('position'),
)
const newTurns = statement((db, { userId, after }: After) =>
  selectTurns(db, userId).where('revision', '>', after).orderBy('scope_id').orderBy('position'),
)
const allMemories = statement((db, { userId }: After) => selectMemories(db, userId))
const newMemories = statement((db, { userId, after }: After) =>
  selectMemories(db, userId).where('revision', '>', after),
)
const allDocuments = statement((db, { userId }: After) => selectDocuments(db, userId))
const newDocuments = statement((db, { userId, after }: After) =>
  selectDocuments(db, userId).where('revision', '>', after),
)
/** Counters rise without the revision: those counted at it are read again. */
const usageSince = statement((db, { userId, after }: After) =>
  db.selectFrom('usage').selectAll().where('user_id', '=', userId).where('revision', '>=', after),
)
const allSessions = statement((db, { userId }: { userId: number }) =>
  db
    .selectFrom('sessions')
    .select(SESSION)
    .where('user_id', '=', userId)
    .orderBy('scope_id')
    .orderBy('number'),
)

/** What changed after a revision; everything where content was erased since, or where nothing was loaded before. */
export async function loadUser(tx: Transaction, { userId, afterRevision }: LoadRequest): Promise<UserRows> {
  const { revision, erasedRevision, sequence } = await readMark(tx, userId)
  const isWhole = afterRevision === 0 || afterRevision < erasedRevision
  const scopes = await loadScopes(tx, userId)
  const after = { userId, after: isWhole ? 0 : afterRevision }
  const mark = { revision, erasedRevision, sequence, isWhole, scopes }
  if (!isWhole && revision <= afterRevision)
    return { ...mark, sessions: [], turns: [], memories: [], documents: [], usage: [] }
  const turnRows = await (isWhole ? allTurns : newTurns)(tx, after)
  const names = new Map<number, Map<number, string>>()
  const sessions = await allSessions(tx, { userId })
  for (const { scope, number, id } of sessions) {
    const ofScope = names.get(scope) ?? new Map<number, string>()
    names.set(scope, ofScope.set(number, id))
  }
  const turns = turnRows.map((row) => turnOf(row, names.get(row.scope_id)?.get(row.session) ?? ''))
  const memories = (await (isWhole ? allMemories : newMemories)(tx, after)).map(memoryOf)
  shareIds(turns, memories)
  const documents = (await (isWhole ? allDocuments : newDocuments)(tx, after)).map(documentOf)
  const usage = (await usageSince(tx, after)).map(usageOf)
  return { ...mark, sessions, turns, memories, documents, usage }
}

/** Makes evidence name a turn by the turn's own string: one copy in memory, which lookups find without comparing characters. */
function shareIds(turns: readonly Turn[], memories: readonly StoredMemory[]): void {
  const ids = new Map(turns.map(({ id }) => [id, id]))
  for (const { memory } of memories)
    for (const source of memory.evidence as readonly { turn: string }[])
      source.turn = ids.get(source.turn) ?? source.turn
}
