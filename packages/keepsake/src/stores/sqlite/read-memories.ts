import { StoreError } from '../../errors/store-error.ts'
import type { MemoryQuery, StoredMemory } from '../store.ts'
import { decodeState } from './memory-state.ts'
import type { Sql } from './sql.ts'
import { Where } from './where.ts'

/** id, scope, sequence, state */
type MemoryCells = readonly [string, number, number, string | null]

const FROM = `SELECT m.id, m.scope, m.sequence, coalesce(m.state, p.after) FROM memories m
  LEFT JOIN payloads p ON p.operation = m.payload`

/** Memories in order of making. */
export function readMemories(sql: Sql, query: MemoryQuery): StoredMemory[] {
  const { owner, session } = query
  const where = new Where()
    .equal('m.owner', owner)
    .among('m.id', query.ids)
    .among('m.scope', query.scopes)
    .among('m.status', query.statuses)
    .among('m.form', query.forms)
  if (query.evidenceTurns !== undefined) {
    const resting = `m.memory IN (SELECT e.memory FROM evidence e JOIN turns t ON t.turn = e.turn
      WHERE t.owner = ? AND t.id IN (SELECT value FROM json_each(?)))`
    where.and(resting, owner, JSON.stringify(query.evidenceTurns))
  }
  if (session !== undefined) {
    // NULL where the memory names a session that has no turns; told apart below.
    const ofSession = `(m.session IS NULL OR m.session IN (SELECT s.session FROM sessions s JOIN scopes c ON c.scope = s.scope
      WHERE c.owner = ? AND s.id = ?))`
    where.and(ofSession, owner, session)
  }
  const cells = sql.cells<MemoryCells>(`${FROM} WHERE ${where.text} ORDER BY m.memory`, ...where.values)
  const found = cells.map(decodeMemory)
  return session === undefined ? found : found.filter(({ memory }) => memory.session === session)
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
