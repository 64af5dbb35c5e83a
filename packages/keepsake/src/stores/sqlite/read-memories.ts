import { StoreError } from '../../errors/store-error.ts'
import type { MemoryQuery, StoredMemory } from '../store.ts'
import { decodeState } from './memory-state.ts'
import type { Sql } from './sql.ts'
import { Where } from './where.ts'

/** id, scope, sequence, state */
type MemoryCells = readonly [string, number, number, string | null]

const STATE = 'coalesce(m.state, p.after)'
const FROM = `SELECT m.id, m.scope, m.sequence, ${STATE} FROM memories m
  LEFT JOIN payloads p ON p.operation = m.payload`

/** Memories in order of making. */
export function readMemories(sql: Sql, query: MemoryQuery): StoredMemory[] {
  const { owner, evidenceTurns, session, where: meant, after } = query
  const where = new Where()
    .equal('m.owner', owner)
    .among('m.id', query.ids)
    .among('m.scope', query.scopes)
    .among('m.status', query.statuses)
    .among('m.form', query.forms)
    .among('m.name', query.names)
    // What a blank memory has anyway is not in the state.
    .among(`coalesce(${STATE} ->> 'type', 'event')`, query.types)
  if (evidenceTurns !== undefined) {
    const resting = `m.memory IN (SELECT e.memory FROM evidence e JOIN turns t ON t.turn = e.turn
      WHERE t.owner = ? AND t.id IN (SELECT value FROM json_each(?)))`
    where.and(resting, owner, JSON.stringify(evidenceTurns))
  }
  if (session !== undefined) {
    // The row names none where the memory's session has no turns.
    const ofSession = `(m.session IN (SELECT s.session FROM sessions s JOIN scopes c ON c.scope = s.scope
      WHERE c.owner = ? AND s.id = ?) OR m.session IS NULL AND ${STATE} ->> 'session' = ?)`
    where.and(ofSession, owner, session, session)
  }
  if (meant !== undefined) where.and(`is_meant(?, ${STATE} -> 'metadata')`, JSON.stringify(meant))
  if (after !== undefined)
    where.and('m.memory > (SELECT memory FROM memories WHERE owner = ? AND id = ?)', owner, after)
  const cells = sql.cells<MemoryCells>(
    `${FROM} WHERE ${where.text} ORDER BY m.memory LIMIT ?`,
    ...where.values,
    query.limit ?? -1,
  )
  return cells.map(decodeMemory)
}

/** Memories written after a revision, in no order. */
export function readMemoriesAfter(sql: Sql, owner: number, revision: number): StoredMemory[] {
  return sql
    .cells<MemoryCells>(`${FROM} WHERE m.owner = ? AND m.revision > ?`, owner, revision)
    .map(decodeMemory)
}

function decodeMemory([id, scope, sequence, state]: MemoryCells): StoredMemory {
  if (state !== null) return { memory: decodeState(id, scope, state), sequence }
  throw new StoreError('store-corrupt', `Memory "${id}" has lost its state. Restore a backup or an export.`, {
    details: { memory: id },
  })
}
