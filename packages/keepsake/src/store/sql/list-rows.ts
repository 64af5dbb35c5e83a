// Lists turns, sessions, memories and operations for the reading calls of a store.
import type { SelectQueryBuilder } from 'kysely'
import { matchesMetadata, type MetadataFilter } from '../../metadata/metadata-filter.ts'
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
import { SESSION } from './append-turns.ts'
import { decodeMetadata, memoriesTouched, memoryOf, operationOf, turnOf } from './encode-rows.ts'
import type { Transaction } from './sql-database.ts'
import type { Tables } from './tables.ts'

/** Values bound in one list: databases limit the parameters of a statement. Longer lists are matched row by row. */
const MAX_LIST_VALUES = 5_000

/** Whether a list is short enough to stand in a statement. */
function isBindable(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length <= MAX_LIST_VALUES
}

/** Rows that a long list of ids and a filter let through: both decide on each row. */
function matchRows<Row extends { readonly id: string; readonly metadata: string | null }>(
  rows: readonly Row[],
  ids: readonly string[] | undefined,
  where: MetadataFilter | undefined,
): readonly Row[] {
  const wanted = ids === undefined || isBindable(ids) ? null : new Set(ids)
  const named = wanted === null ? rows : rows.filter(({ id }) => wanted.has(id))
  return where === undefined
    ? named
    : named.filter((row) => matchesMetadata(where, decodeMetadata(row.metadata)))
}

/** Turns that still have their text, in order of scope and position. */
export async function listTurns({ db }: Transaction, query: TurnQuery): Promise<Turn[]> {
  const { userId, scopes, ids, session, roles, where, afterPosition, beforePosition, newestFirst, limit } =
    query
  const lists = [scopes, ids, roles]
  if (lists.some((list) => list?.length === 0)) return []
  const direction = newestFirst === true ? 'desc' : 'asc'
  const isMatched = where !== undefined || (ids !== undefined && !isBindable(ids))
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
    .$if(roles !== undefined, (select) => select.where('t.role', 'in', roles ?? []))
    .$if(session !== undefined, (select) => select.where('s.id', '=', session ?? ''))
    .$if(afterPosition !== undefined, (select) => select.where('t.position', '>', afterPosition ?? 0))
    .$if(beforePosition !== undefined, (select) => select.where('t.position', '<', beforePosition ?? 0))
    // What decides on each row comes before the limit.
    .$if(limit !== undefined && !isMatched, (select) => select.limit(limit ?? 0))
    .orderBy('t.scope_id', direction)
    .orderBy('t.position', direction)
    .execute()
  const matching = isMatched ? matchRows(rows, ids, where) : rows
  return matching.slice(0, limit).map((row) => turnOf(row, row.sessionId))
}

export async function listSessions({ db }: Transaction, query: SessionQuery): Promise<SessionRow[]> {
  const { userId, scopes, id, afterNumber, beforeNumber, newestFirst, limit } = query
  if (scopes.length === 0) return []
  const direction = newestFirst === true ? 'desc' : 'asc'
  return db
    .selectFrom('sessions')
    .select(SESSION)
    .where('user_id', '=', userId)
    .where('scope_id', 'in', scopes)
    .$if(id !== undefined, (select) => select.where('id', '=', id ?? ''))
    .$if(afterNumber !== undefined, (select) => select.where('number', '>', afterNumber ?? 0))
    .$if(beforeNumber !== undefined, (select) => select.where('number', '<', beforeNumber ?? 0))
    .$if(limit !== undefined, (select) => select.limit(limit ?? 0))
    .orderBy('scope_id', direction)
    .orderBy('number', direction)
    .execute()
}

type MemorySelect<Output> = SelectQueryBuilder<Tables, 'memories', Output>

/** Memories in the order that a query names. */
export async function listMemories(tx: Transaction, query: MemoryQuery): Promise<StoredMemory[]> {
  const { userId, scopes, statuses, forms, types, names, evidenceTurns, session, where } = query
  const { after, order = 'made', newestFirst, skip = 0, limit } = query
  const ids = evidenceTurns === undefined ? query.ids : await restingOn(tx, query, evidenceTurns)
  const lists = [scopes, ids, statuses, forms, types, names]
  if (lists.some((list) => list?.length === 0)) return []
  const place = after === undefined ? null : await placeOf(tx, userId, after)
  if (place === undefined) return []
  const { db } = tx
  const isMatched = where !== undefined || (ids !== undefined && !isBindable(ids))
  const isPaged = !isMatched && (limit !== undefined || skip > 0)
  const rows = await db
    .selectFrom('memories')
    .select(['id', 'scope_id', 'sequence', 'state', 'metadata'])
    .where('user_id', '=', userId)
    .$if(isBindable(ids), (select) => select.where('id', 'in', ids ?? []))
    .$if(scopes !== undefined, (select) => select.where('scope_id', 'in', scopes ?? []))
    .$if(statuses !== undefined, (select) => select.where('status', 'in', statuses ?? []))
    .$if(forms !== undefined, (select) => select.where('form', 'in', forms ?? []))
    .$if(types !== undefined, (select) => select.where('type', 'in', types ?? []))
    .$if(names !== undefined, (select) => select.where('name', 'in', names ?? []))
    .$if(session !== undefined, (select) => select.where('session', '=', session ?? ''))
    .$call((select) => inTime(select, query))
    .$call((select) => (place === null ? select : behind(select, query, place)))
    .$call((select) => inOrder(select, order, newestFirst === true ? 'desc' : 'asc'))
    .$if(isPaged, (select) => select.limit(limit ?? MOST_ROWS).offset(skip))
    .execute()
  if (!isMatched) return rows.map(memoryOf)
  const matching = matchRows(rows, ids, where)
  return matching.slice(skip, limit === undefined ? undefined : skip + limit).map(memoryOf)
}

/** Ids of the memories that rest on turns, of those that the query names. */
async function restingOn(
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

/** Stands for no limit, where an offset needs one. */
const MOST_ROWS = 2_147_483_647

interface Place {
  readonly id: string
  readonly number: number
  readonly learned_at: number
}

async function placeOf({ db }: Transaction, userId: number, id: string): Promise<Place | undefined> {
  const select = db.selectFrom('memories').select(['id', 'number', 'learned_at'])
  return select.where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()
}

function inTime<Output>(select: MemorySelect<Output>, query: MemoryQuery): MemorySelect<Output> {
  const { validAt, learnedFrom, learnedTo } = query
  return select
    .$if(validAt !== undefined, (query) =>
      query.where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', validAt ?? 0)])),
    )
    .$if(learnedFrom !== undefined, (query) => query.where('learned_at', '>=', learnedFrom ?? 0))
    .$if(learnedTo !== undefined, (query) => query.where('learned_at', '<=', learnedTo ?? 0))
}

function behind<Output>(
  select: MemorySelect<Output>,
  { order = 'made', newestFirst }: MemoryQuery,
  { id, number, learned_at }: Place,
): MemorySelect<Output> {
  const isBehind = newestFirst === true ? '<' : '>'
  if (order === 'made') return select.where('number', isBehind, number)
  return select.where((eb) =>
    eb.or([
      eb('learned_at', isBehind, learned_at),
      eb.and([eb('learned_at', '=', learned_at), eb('id', isBehind, id)]),
    ]),
  )
}

function inOrder<Output>(
  select: MemorySelect<Output>,
  order: 'made' | 'learned',
  direction: 'asc' | 'desc',
): MemorySelect<Output> {
  if (order === 'made') return select.orderBy('number', direction)
  return select.orderBy('learned_at', direction).orderBy('id', direction)
}

/** The log in order; with `memory`, also the recalls that touched it. */
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
