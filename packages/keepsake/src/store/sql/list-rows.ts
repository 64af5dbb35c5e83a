// Lists turns, sessions, memories and operations for the reading calls of a store.
import type { Operation } from '../../memories/operation.ts'
import type { Turn } from '../../turns/turn.ts'
import type {
  MemoryQuery,
  OperationQuery,
  SessionQuery,
  SessionRow,
  StoredMemory,
  TurnQuery,
} from '../store.ts'
import { SESSION_COLUMNS } from './append-turns.ts'
import { memoriesTouched, memoryOf, operationOf, turnOf } from './encode-rows.ts'
import type { Transaction } from './sql-database.ts'

/** Maximum length of a list in a statement, since databases limit parameters. Longer lists are filtered row by row. */
const MAX_LIST_VALUES = 5_000

/** Whether a list is short enough to be bound in a statement. */
function isBindable(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length <= MAX_LIST_VALUES
}

/** Filters rows by a list of ids that was too long for the statement. */
function filterByLongList<Row extends { readonly id: string }>(
  rows: Row[],
  ids: readonly string[] | undefined,
): Row[] {
  if (ids === undefined || isBindable(ids)) return rows
  const wanted = new Set(ids)
  return rows.filter(({ id }) => wanted.has(id))
}

/** Lists turns that still have their text, in order of scope and position. */
export async function listTurns({ db }: Transaction, query: TurnQuery): Promise<Turn[]> {
  const { userId, scopes, ids, afterPosition, beforePosition, newestFirst, limit } = query
  if (scopes?.length === 0 || ids?.length === 0) return []
  const direction = newestFirst === true ? 'desc' : 'asc'
  const isLong = ids !== undefined && !isBindable(ids)
  const rows = await db
    .selectFrom('turns as t')
    .innerJoin('sessions as s', (join) =>
      join
        .onRef('s.user_id', '=', 't.user_id')
        .onRef('s.scope_id', '=', 't.scope_id')
        .onRef('s.number', '=', 't.session'),
    )
    .selectAll('t')
    .select('s.id as sessionId')
    .where('t.user_id', '=', userId)
    .where('t.text', 'is not', null)
    .$if(isBindable(ids), (select) => select.where('t.id', 'in', ids ?? []))
    .$if(scopes !== undefined, (select) => select.where('t.scope_id', 'in', scopes ?? []))
    .$if(afterPosition !== undefined, (select) => select.where('t.position', '>', afterPosition ?? 0))
    .$if(beforePosition !== undefined, (select) => select.where('t.position', '<', beforePosition ?? 0))
    .$if(limit !== undefined && !isLong, (select) => select.limit(limit ?? 0))
    .orderBy('t.scope_id', direction)
    .orderBy('t.position', direction)
    .execute()
  return filterByLongList(rows, ids)
    .slice(0, limit)
    .map((row) => turnOf(row, row.sessionId))
}

export async function listSessions({ db }: Transaction, query: SessionQuery): Promise<SessionRow[]> {
  const { userId, scopes, id, newestFirst, limit } = query
  if (scopes.length === 0) return []
  const direction = newestFirst === true ? 'desc' : 'asc'
  return db
    .selectFrom('sessions')
    .select(SESSION_COLUMNS)
    .where('user_id', '=', userId)
    .where('scope_id', 'in', scopes)
    .$if(id !== undefined, (select) => select.where('id', '=', id ?? ''))
    .$if(limit !== undefined, (select) => select.limit(limit ?? 0))
    .orderBy('scope_id', direction)
    .orderBy('number', direction)
    .execute()
}

/** Lists memories in order of creation. */
export async function listMemories(tx: Transaction, query: MemoryQuery): Promise<StoredMemory[]> {
  const { userId, scopes, evidenceTurns } = query
  const ids = evidenceTurns === undefined ? query.ids : await listIdsByEvidence(tx, query, evidenceTurns)
  if (scopes?.length === 0 || ids?.length === 0) return []
  const rows = await tx.db
    .selectFrom('memories')
    .select(['id', 'scope_id', 'sequence', 'state'])
    .where('user_id', '=', userId)
    .$if(isBindable(ids), (select) => select.where('id', 'in', ids ?? []))
    .$if(scopes !== undefined, (select) => select.where('scope_id', 'in', scopes ?? []))
    .orderBy('number')
    .execute()
  return filterByLongList(rows, ids).map(memoryOf)
}

/** Lists ids of memories that have one of these turns as evidence; only ids of the query, if it names any. */
async function listIdsByEvidence(
  { db }: Transaction,
  { userId, ids }: MemoryQuery,
  turns: readonly string[],
): Promise<string[]> {
  const found = new Set<string>()
  for (let from = 0; from < turns.length; from += MAX_LIST_VALUES) {
    const chunk = turns.slice(from, from + MAX_LIST_VALUES)
    const select = db.selectFrom('evidence').select('memory_id').distinct().where('user_id', '=', userId)
    for (const { memory_id } of await select.where('turn_id', 'in', chunk).execute()) found.add(memory_id)
  }
  return ids === undefined ? [...found] : ids.filter((id) => found.has(id))
}

/** Lists operations in order. With `memory`, the list includes recalls that counted the memory. */
export async function listOperations({ db }: Transaction, query: OperationQuery): Promise<Operation[]> {
  const { userId, scopes, memory, kinds, ids, parent, afterSequence, beforeSequence, newestFirst, limit } =
    query
  if ([scopes, kinds, ids].some((list) => list?.length === 0)) return []
  const rows = await db
    .selectFrom('operations')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(scopes !== undefined, (select) => select.where('scope_id', 'in', scopes ?? []))
    .$if(kinds !== undefined, (select) => select.where('kind', 'in', kinds ?? []))
    .$if(ids !== undefined, (select) => select.where('id', 'in', ids ?? []))
    .$if(parent !== undefined, (select) => select.where('parent', '=', parent ?? ''))
    .$if(memory !== undefined, (select) =>
      select.where((eb) =>
        eb.or([
          eb('memory', '=', memory ?? ''),
          eb.and([eb('memory', 'is', null), eb('touched', 'is not', null)]),
        ]),
      ),
    )
    .$if(afterSequence !== undefined, (select) => select.where('sequence', '>', afterSequence ?? 0))
    .$if(beforeSequence !== undefined, (select) => select.where('sequence', '<', beforeSequence ?? 0))
    .$if(limit !== undefined && memory === undefined, (select) => select.limit(limit ?? 0))
    .orderBy('sequence', newestFirst === true ? 'desc' : 'asc')
    .execute()
  const operations = rows.map(operationOf)
  if (memory === undefined) return operations
  return operations.filter((operation) => memoriesTouched(operation).includes(memory)).slice(0, limit)
}
