import {
  matchesMetadata,
  memoryFromBlank,
  StoreError,
  type MemoryChange,
  type MemoryQuery,
  type MetadataFilter,
  type StoredMemory,
} from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { name, part, Where, type SqlPart } from './connection/sql-part.ts'
import type { Database } from './database.ts'
import { filterPages } from './metadata.ts'

type MemoryCells = readonly [
  memory: number,
  id: string,
  scope: number,
  sequence: number,
  state: string | null,
]

// What a blank memory has anyway is not in the state. Postgres reads no NUL out of JSON: it is read as a space.
const STATE = name(`(replace(coalesce(m.state, p.after), '\\u0000', '\\u0020')::json)`)
const LEARNED = name(`coalesce((${STATE.texts[0]} ->> 'learnedAt')::float8, 0)`)
const FROM = name('FROM memories m LEFT JOIN payloads p ON p.owner = m.owner AND p.sequence = m.said')

/** A memory and the number of its row. */
export interface NumberedMemory extends StoredMemory {
  readonly number: number
}

/** Memories in the order that a query names. */
export function readMemories({ transactions }: Database, query: MemoryQuery): Promise<StoredMemory[]> {
  const { owner, where } = query
  const work = (sql: Sql): Promise<StoredMemory[]> => memoriesOf(sql, query)
  return where === undefined ? transactions.read({ owner }, work) : transactions.readOn({ owner }, work)
}

/** How many memories a query means, whatever page it asks for. */
export function countMemories({ transactions }: Database, query: MemoryQuery): Promise<number> {
  return transactions.read({ owner: query.owner }, async (sql) => {
    const { where: meant } = query
    if (meant !== undefined) return countMeant(sql, query, meant)
    const [row] = await sql.cells<[number]>`SELECT count(*) ${FROM} WHERE ${meantBy(query).part}`
    return row?.[0] ?? 0
  })
}

/** Only metadata is read of what is only counted. */
async function countMeant(sql: Sql, query: MemoryQuery, meant: MetadataFilter): Promise<number> {
  const rows = await sql.cells<
    [string]
  >`SELECT coalesce(m.state, p.after) ${FROM} WHERE ${meantBy(query).part}`
  return rows.filter(([state]) =>
    matchesMetadata(meant, (JSON.parse(state) as MemoryChange).metadata ?? null),
  ).length
}

export async function memoriesOf(sql: Sql, query: MemoryQuery): Promise<StoredMemory[]> {
  const { where: meant, after, limit, skip = 0 } = query
  const order = orderOf(query)
  const where = meantBy(query)
  if (after !== undefined) where.and`${isAfter(query, after)}`
  const read = (more: SqlPart, page: SqlPart): Promise<NumberedMemory[]> =>
    select(sql, part`${where.part} AND ${more} ORDER BY ${order} ${page}`)
  const found =
    meant === undefined
      ? await read(part`TRUE`, part`LIMIT ${limit ?? null} OFFSET ${skip}`)
      : await filterPages<NumberedMemory>({
          limit,
          skip,
          page: (last, size) =>
            read(last === null ? part`TRUE` : isAfter(query, last.memory.id), part`LIMIT ${size}`),
          isMeant: ({ memory }) => matchesMetadata(meant, memory.metadata),
        })
  return found.map(({ memory, sequence }) => ({ memory, sequence }))
}

/** What a query asks of each memory, but for metadata, which the kit's rule decides about. */
function meantBy(query: MemoryQuery): Where {
  const { owner, evidenceTurns, session, holdsAt, learnedFrom, learnedTo } = query
  const where = new Where().and`m.owner = ${owner}`
    .among('m.id', query.ids)
    .among('m.scope', query.scopes)
    .among('m.status', query.statuses)
    .among('m.form', query.forms)
    .among('m.name', query.names)
    .among('m.type', query.types)
    .equal('m.session', session)
  if (evidenceTurns !== undefined)
    where.and`m.memory IN (SELECT e.memory FROM evidence e JOIN turns t ON t.owner = e.owner AND t.turn = e.turn
      WHERE e.owner = ${owner} AND t.owner = ${owner} AND t.id = ANY(${evidenceTurns}))`
  if (holdsAt !== undefined) where.and`coalesce((${STATE} ->> 'validUntil')::float8 > ${holdsAt}, TRUE)`
  if (learnedFrom !== undefined) where.and`${LEARNED} >= ${learnedFrom}`
  if (learnedTo !== undefined) where.and`${LEARNED} <= ${learnedTo}`
  return where
}

function orderOf({ order, newestFirst = false }: MemoryQuery): SqlPart {
  const direction = name(newestFirst ? 'DESC' : 'ASC')
  return order === 'learned'
    ? part`${LEARNED} ${direction}, m.id COLLATE "C" ${direction}`
    : part`m.memory ${direction}`
}

function isAfter({ owner, order, newestFirst = false }: MemoryQuery, after: string): SqlPart {
  const place = order === 'learned' ? part`${LEARNED}, m.id COLLATE "C"` : part`m.memory`
  const isBehind = name(newestFirst ? '<' : '>')
  return part`(${place}) ${isBehind} (SELECT ${place} ${FROM} WHERE m.owner = ${owner} AND m.id = ${after})`
}

/** Memories written after a revision, in order of making. */
export async function memoriesAfter(sql: Sql, owner: number, revision: number): Promise<StoredMemory[]> {
  const found = await select(sql, part`m.owner = ${owner} AND m.revision > ${revision} ORDER BY m.memory`)
  return found.map(({ memory, sequence }) => ({ memory, sequence }))
}

/** Memories whose index row was written after a revision, and they themselves were not. */
export async function memoriesIndexedAfter(
  sql: Sql,
  owner: number,
  revision: number,
): Promise<StoredMemory[]> {
  const found = await select(
    sql,
    part`m.owner = ${owner} AND m.revision <= ${revision} AND m.memory IN (
      SELECT d.memory FROM memory_documents d WHERE d.owner = ${owner} AND d.revision > ${revision})`,
  )
  return found.map(({ memory, sequence }) => ({ memory, sequence }))
}

/** Memories by the numbers of their rows, in order of making. */
export function numberedMemories(
  sql: Sql,
  owner: number,
  numbers: readonly number[],
): Promise<NumberedMemory[]> {
  return select(sql, part`m.owner = ${owner} AND m.memory = ANY(${numbers}) ORDER BY m.memory`)
}

/** Memories that rest on these turns, or did, by the numbers of both. */
export function memoriesResting(
  sql: Sql,
  owner: number,
  turns: readonly number[],
): Promise<NumberedMemory[]> {
  return select(
    sql,
    part`m.owner = ${owner} AND m.memory IN (
      SELECT e.memory FROM evidence e WHERE e.owner = ${owner} AND e.turn = ANY(${turns})) ORDER BY m.memory`,
  )
}

async function select(sql: Sql, where: SqlPart): Promise<NumberedMemory[]> {
  const rows =
    await sql.cells<MemoryCells>`SELECT m.memory, m.id, m.scope, m.sequence, coalesce(m.state, p.after)
    ${FROM} WHERE ${where}`
  return rows.map(decodeMemory)
}

function decodeMemory([number, id, scope, sequence, state]: MemoryCells): NumberedMemory {
  // The way back from what `writeLog` keeps: what differs from a blank memory.
  if (state !== null)
    return { number, memory: memoryFromBlank(id, scope, JSON.parse(state) as MemoryChange), sequence }
  throw new StoreError('store-corrupt', `Memory "${id}" has lost its state. Restore a backup or an export.`, {
    details: { memory: id },
  })
}
