import { StoreError } from '../../errors/store-error.ts'
import type { MemoryQuery, StoredMemory } from '../store.ts'
import { memoryFromBlank } from '../../memories/apply-operation.ts'
import type { MemoryChange } from '../../memories/operation.ts'
import { amongList, name, part, Where, type Sql, type SqlPart } from './sql.ts'

/** id, scope, sequence, state */
type MemoryCells = readonly [string, number, number, string | null]

const STATE = name('coalesce(m.state, p.after)')
// What a blank memory has anyway is not in the state.
const LEARNED = name(`coalesce(${STATE.text} ->> 'learnedAt', 0)`)
const MADE = name('m.memory')
const FROM = name('FROM memories m LEFT JOIN payloads p ON p.operation = m.payload')
const SELECT = part`SELECT m.id, m.scope, m.sequence, ${STATE} ${FROM}`

/** Memories in the order that a query names. */
export function readMemories(sql: Sql, query: MemoryQuery): StoredMemory[] {
  const { limit, skip = 0 } = query
  const where = meantBy(query)
  andAfter(where, query)
  const order = orderOf(query)
  // A page is chosen by numbers of rows: what they say is read, and sorted, of the page alone.
  const chosen =
    limit === undefined && skip === 0
      ? where
      : part`m.memory IN (SELECT m.memory ${FROM} WHERE ${where} ORDER BY ${order} LIMIT ${limit ?? -1} OFFSET ${skip})`
  return sql.cells<MemoryCells>`${SELECT} WHERE ${chosen} ORDER BY ${order}`.map(decodeMemory)
}

/** How many memories a query means, whatever page it asks for. */
export function countMemories(sql: Sql, query: MemoryQuery): number {
  return sql.value<number>`SELECT count(*) ${FROM} WHERE ${meantBy(query)}` ?? 0
}

function meantBy(query: MemoryQuery): Where {
  const { owner, evidenceTurns, session, where: meant, holdsAt, learnedFrom, learnedTo } = query
  const where = new Where()
    .equal('m.owner', owner)
    .among('m.id', query.ids)
    .among('m.scope', query.scopes)
    .among('m.status', query.statuses)
    .among('m.form', query.forms)
    .among('m.name', query.names)
    .among(`coalesce(${STATE.text} ->> 'type', 'event')`, query.types)
  if (evidenceTurns !== undefined)
    where.and`m.memory IN (SELECT e.memory FROM evidence e JOIN turns t ON t.turn = e.turn
      WHERE t.owner = ${owner} AND t.id ${amongList(evidenceTurns)})`
  // The row names no session where the memory's has no turns.
  if (session !== undefined)
    where.and`(m.session IN (SELECT s.session FROM sessions s JOIN scopes c ON c.scope = s.scope
      WHERE c.owner = ${owner} AND s.id = ${session}) OR m.session IS NULL AND ${STATE} ->> 'session' = ${session})`
  if (holdsAt !== undefined)
    where.and`(${STATE} ->> 'validUntil' IS NULL OR ${STATE} ->> 'validUntil' > ${holdsAt})`
  if (learnedFrom !== undefined) where.and`${LEARNED} >= ${learnedFrom}`
  if (learnedTo !== undefined) where.and`${LEARNED} <= ${learnedTo}`
  if (meant !== undefined) where.and`is_meant(${JSON.stringify(meant)}, ${STATE} -> 'metadata')`
  return where
}

function orderOf({ order, newestFirst = false }: MemoryQuery): SqlPart {
  const direction = newestFirst ? ' DESC' : ''
  return order === 'learned'
    ? name(`${LEARNED.text}${direction}, m.id${direction}`)
    : name(`m.memory${direction}`)
}

function andAfter(where: Where, { owner, after, order, newestFirst = false }: MemoryQuery): void {
  if (after === undefined) return
  const isBehind = name(newestFirst ? '<' : '>')
  const [place, of] = order === 'learned' ? [part`(${LEARNED}, m.id)`, part`${LEARNED}, m.id`] : [MADE, MADE]
  where.and`${place} ${isBehind} (SELECT ${of} ${FROM} WHERE m.owner = ${owner} AND m.id = ${after})`
}

/** Rows of the memories written after a revision, in order of making. */
export function memoriesAfter(sql: Sql, owner: number, revision: number): number[] {
  return sql.cells<readonly [number]>`SELECT m.memory FROM memories m
    WHERE m.owner = ${owner} AND m.revision > ${revision} ORDER BY m.memory`.map(([row]) => row)
}

/** Memories by their rows, in order of making. */
export function readMemoryRun(sql: Sql, rows: readonly number[]): StoredMemory[] {
  return sql.cells<MemoryCells>`${SELECT} WHERE m.memory IN (SELECT value FROM json_each(${JSON.stringify(rows)})) ORDER BY m.memory`.map(
    decodeMemory,
  )
}

function decodeMemory([id, scope, sequence, state]: MemoryCells): StoredMemory {
  // The way back from what `writeLog` keeps: what differs from a blank memory.
  if (state !== null)
    return { memory: memoryFromBlank(id, scope, JSON.parse(state) as MemoryChange), sequence }
  throw new StoreError('store-corrupt', `Memory "${id}" has lost its state. Restore a backup or an export.`, {
    details: { memory: id },
  })
}
