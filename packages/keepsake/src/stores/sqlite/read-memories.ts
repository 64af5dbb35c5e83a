import { StoreError } from '../../errors/store-error.ts'
import type { MemoryQuery, StoredMemory } from '../store.ts'
import { memoryFromBlank } from '../../memories/apply-operation.ts'
import type { MemoryChange } from '../../memories/operation.ts'
import { amongList, name, part, Where, type Sql } from './sql.ts'

/** id, scope, sequence, state */
type MemoryCells = readonly [string, number, number, string | null]

const STATE = name('coalesce(m.state, p.after)')
const SELECT = part`SELECT m.id, m.scope, m.sequence, ${STATE} FROM memories m
  LEFT JOIN payloads p ON p.operation = m.payload`

/** Memories in order of making. */
export function readMemories(sql: Sql, query: MemoryQuery): StoredMemory[] {
  const { owner, evidenceTurns, session, where: meant, after, newestFirst = false } = query
  const where = new Where()
    .equal('m.owner', owner)
    .among('m.id', query.ids)
    .among('m.scope', query.scopes)
    .among('m.status', query.statuses)
    .among('m.form', query.forms)
    .among('m.name', query.names)
    // What a blank memory has anyway is not in the state.
    .among(`coalesce(${STATE.text} ->> 'type', 'event')`, query.types)
  if (evidenceTurns !== undefined)
    where.and`m.memory IN (SELECT e.memory FROM evidence e JOIN turns t ON t.turn = e.turn
      WHERE t.owner = ${owner} AND t.id ${amongList(evidenceTurns)})`
  // The row names no session where the memory's has no turns.
  if (session !== undefined)
    where.and`(m.session IN (SELECT s.session FROM sessions s JOIN scopes c ON c.scope = s.scope
      WHERE c.owner = ${owner} AND s.id = ${session}) OR m.session IS NULL AND ${STATE} ->> 'session' = ${session})`
  if (meant !== undefined) where.and`is_meant(${JSON.stringify(meant)}, ${STATE} -> 'metadata')`
  if (after !== undefined)
    where.and`m.memory ${name(newestFirst ? '<' : '>')} (SELECT memory FROM memories WHERE owner = ${owner} AND id = ${after})`
  const order = name(newestFirst ? 'm.memory DESC' : 'm.memory')
  return sql.cells<MemoryCells>`${SELECT} WHERE ${where} ORDER BY ${order} LIMIT ${query.limit ?? -1}`.map(
    decodeMemory,
  )
}

/** Memories written after a revision, in order of making. */
export function readMemoriesAfter(sql: Sql, owner: number, revision: number): StoredMemory[] {
  return sql.cells<MemoryCells>`${SELECT} WHERE m.owner = ${owner} AND m.revision > ${revision} ORDER BY m.memory`.map(
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
