import {
  matchesMetadata,
  memoryFromBlank,
  StoreError,
  type MemoryChange,
  type MemoryQuery,
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

/** A memory and the number of its row. */
interface NumberedMemory extends StoredMemory {
  readonly number: number
}

/** Memories in order of making. */
export function readMemories({ transactions }: Database, query: MemoryQuery): Promise<StoredMemory[]> {
  return transactions.read({ owner: query.owner }, (sql) => memoriesOf(sql, query))
}

export async function memoriesOf(sql: Sql, query: MemoryQuery): Promise<StoredMemory[]> {
  const { owner, evidenceTurns, session, where: meant, after, newestFirst = false } = query
  const isBehind = name(newestFirst ? '<' : '>')
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
  if (after !== undefined)
    where.and`m.memory ${isBehind} (SELECT memory FROM memories WHERE owner = ${owner} AND id = ${after})`
  const direction = name(newestFirst ? 'DESC' : 'ASC')
  const read = (more: SqlPart, limit: number | null): Promise<NumberedMemory[]> =>
    select(sql, part`${where.part} AND ${more} ORDER BY m.memory ${direction} LIMIT ${limit}`)
  const found =
    meant === undefined
      ? await read(part`TRUE`, query.limit ?? null)
      : await filterPages<NumberedMemory>({
          limit: query.limit,
          page: (last, limit) =>
            read(last === null ? part`TRUE` : part`m.memory ${isBehind} ${last.number}`, limit),
          isMeant: ({ memory }) => matchesMetadata(meant, memory.metadata),
        })
  return found.map(({ memory, sequence }) => ({ memory, sequence }))
}

/** Memories written after a revision, in order of making. */
export async function memoriesAfter(sql: Sql, owner: number, revision: number): Promise<StoredMemory[]> {
  const found = await select(sql, part`m.owner = ${owner} AND m.revision > ${revision} ORDER BY m.memory`)
  return found.map(({ memory, sequence }) => ({ memory, sequence }))
}

async function select(sql: Sql, where: SqlPart): Promise<NumberedMemory[]> {
  const rows =
    await sql.cells<MemoryCells>`SELECT m.memory, m.id, m.scope, m.sequence, coalesce(m.state, p.after)
    FROM memories m LEFT JOIN payloads p ON p.owner = m.owner AND p.sequence = m.said WHERE ${where}`
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
