import { InvalidInputError } from '../../errors/invalid-input-error.ts'
import type { Memory } from '../../memories/memory.ts'
import type { NewOperation, Operation } from '../../memories/operation.ts'
import { turnsQuoted } from '../../memories/turns-quoted.ts'
import { numberOfName } from './keep-names.ts'
import { requireScope } from './keep-scopes.ts'
import { encodeState } from './memory-state.ts'
import type { Sql } from './sql.ts'

/** An operation with its place in the log and its row number. */
interface PlacedOperation {
  readonly operation: Operation
  readonly row: number
}

/**
 * Writes operations and the memories they leave, in the order in which the log makes them. Memories go
 * first, since operations point to their rows. Within a write transaction.
 *
 * @throws InvalidInputError when the memories are not just those that the operations touch: the log and its
 * projection would part.
 */
export function writeLog(
  sql: Sql,
  owner: number,
  revision: number,
  operations: readonly NewOperation[],
  memories: readonly Memory[],
): Operation[] {
  const placed = placeOperations(sql, owner, operations)
  const scopes = new Set([...operations, ...memories].map((entry) => entry.scope))
  for (const scope of scopes) requireScope(sql, owner, scope)
  const left = new Map(memories.map((memory) => [memory.id, memory]))
  const touches = touchesByMemory(placed)
  for (const [id, by] of touches) {
    const memory = left.get(id)
    if (memory === undefined)
      throw new InvalidInputError(`An operation touches memory "${id}", and what it leaves is not given.`)
    writeMemory(sql, owner, revision, memory, by)
  }
  for (const id of left.keys()) {
    if (!touches.has(id))
      throw new InvalidInputError(`No operation touches memory "${id}": the log could not yield it.`)
  }
  for (const entry of placed) insertOperation(sql, owner, entry)
  sql.run('UPDATE owners SET sequence = sequence + ? WHERE owner = ?', placed.length, owner)
  return placed.map((entry) => entry.operation)
}

function placeOperations(sql: Sql, owner: number, operations: readonly NewOperation[]): PlacedOperation[] {
  const sequence = sql.value<number>('SELECT sequence FROM owners WHERE owner = ?', owner) ?? 0
  const row = sql.value<number | null>('SELECT max(operation) FROM operations') ?? 0
  return operations.map((operation, index) => ({
    operation: { ...operation, sequence: sequence + index + 1 },
    row: row + index + 1,
  }))
}

/** Which operations touch each memory, memories in order of first touch. */
function touchesByMemory(placed: readonly PlacedOperation[]): Map<string, PlacedOperation[]> {
  const touches = new Map<string, PlacedOperation[]>()
  for (const entry of placed) {
    const { memory, touched } = entry.operation
    for (const id of memory === null ? touched.map((each) => each.memory) : [memory]) {
      const known = touches.get(id)
      if (known === undefined) touches.set(id, [entry])
      else known.push(entry)
    }
  }
  return touches
}

function writeMemory(
  sql: Sql,
  owner: number,
  revision: number,
  memory: Memory,
  by: readonly PlacedOperation[],
): void {
  const last = by.at(-1)
  const state = encodeState(memory)
  const only = by.length === 1 && last?.operation.kind === 'add' ? last : undefined
  const said = only?.operation.payload
  const kept =
    said !== null && said !== undefined && JSON.stringify(said.after) === state ? only?.row : undefined
  const row = sql.value<number>(
    `INSERT INTO memories (owner, scope, session, sequence, revision, form, status, payload, id, state, name)
     VALUES (?1, ?2, (SELECT session FROM sessions WHERE scope = ?2 AND id = ?3), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
     ON CONFLICT (owner, id) DO UPDATE SET session = excluded.session, sequence = excluded.sequence,
       revision = excluded.revision, form = excluded.form, status = excluded.status, payload = excluded.payload,
       state = excluded.state, name = excluded.name
     RETURNING memory`,
    owner,
    memory.scope,
    memory.session,
    last?.operation.sequence ?? 0,
    revision,
    memory.form,
    memory.status,
    kept ?? null,
    memory.id,
    kept === undefined ? state : null,
    memory.status === 'live' ? memory.name : null,
  )
  linkEvidence(sql, owner, Number(row), memory, by)
}

function linkEvidence(
  sql: Sql,
  owner: number,
  row: number,
  memory: Memory,
  by: readonly PlacedOperation[],
): void {
  const operations = by.map(({ operation }) => operation)
  for (const turn of turnsQuoted(memory, operations)) {
    sql.run(
      'INSERT OR IGNORE INTO evidence (turn, memory) SELECT turn, ? FROM turns WHERE owner = ? AND id = ?',
      row,
      owner,
      turn,
    )
  }
}

function insertOperation(sql: Sql, owner: number, { operation, row }: PlacedOperation): void {
  sql.run(
    `INSERT INTO operations (operation, owner, sequence, scope, kind, memory, at, origin, session_number, round, parent, undoes, id)
     VALUES (?, ?, ?, ?, ?, (SELECT memory FROM memories WHERE owner = ? AND id = ?), ?, ?, ?, ?, ?, ?, ?)`,
    row,
    owner,
    operation.sequence,
    operation.scope,
    operation.kind,
    owner,
    operation.memory,
    operation.at,
    numberOfName(sql, JSON.stringify(operation.origin)),
    operation.sessionNumber,
    operation.round,
    operation.parent,
    operation.undoes,
    operation.id,
  )
  operation.touched.forEach((entry, place) => {
    sql.run(
      `INSERT INTO touched (operation, place, memory, rank)
       SELECT ?, ?, memory, ? FROM memories WHERE owner = ? AND id = ?`,
      row,
      place,
      entry.rank,
      owner,
      entry.memory,
    )
  })
  if (operation.payload === null) return
  const { before, after } = operation.payload
  sql.run(
    'INSERT INTO payloads (operation, before, after) VALUES (?, ?, ?)',
    row,
    before === null ? null : JSON.stringify(before),
    JSON.stringify(after),
  )
}
