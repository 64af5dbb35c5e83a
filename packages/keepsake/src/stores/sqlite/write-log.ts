import { InvalidInputError } from '@keepsake/text'
import type { Memory } from '../../memories/memory.ts'
import type { NewOperation, Operation } from '../../memories/operation.ts'
import { turnsQuoted } from '../../memories/turns-quoted.ts'
import { numberOfName } from './keep-names.ts'
import { readState, requireScope } from './keep-scopes.ts'
import { changeFromBlank } from '../../memories/apply-operation.ts'
import type { Written } from './write-documents.ts'
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
  written: Written,
  operations: readonly NewOperation[],
  memories: readonly Memory[],
): Operation[] {
  const { owner } = written
  // How far something was read, or that a job is done: much of what is committed.
  if (operations.length === 0 && memories.length === 0) return []
  const placed = placeOperations(sql, written, operations)
  const scopes = new Set([...operations, ...memories].map((entry) => entry.scope))
  for (const scope of scopes) if (scope !== written.scope) requireScope(sql, owner, scope)
  const left = new Map(memories.map((memory) => [memory.id, memory]))
  const touches = touchesByMemory(placed)
  const sessions = new SessionRows(sql)
  const rows = new Map<string | null, number>()
  for (const [id, by] of touches) {
    const memory = left.get(id)
    if (memory === undefined)
      throw new InvalidInputError(`An operation touches memory "${id}", and what it leaves is not given.`)
    rows.set(id, writeMemory(sql, { ...written, sessions }, memory, by))
  }
  for (const id of left.keys()) {
    if (!touches.has(id))
      throw new InvalidInputError(`No operation touches memory "${id}": the log could not yield it.`)
  }
  for (const entry of placed) insertOperation(sql, owner, entry, rows)
  if (written.sequence === undefined)
    sql.run`UPDATE owners SET sequence = sequence + ${placed.length} WHERE owner = ${owner}`
  return placed.map((entry) => entry.operation)
}

function placeOperations(
  sql: Sql,
  { owner, sequence = readState(sql, owner).sequence }: Written,
  operations: readonly NewOperation[],
): PlacedOperation[] {
  const row = sql.value<number | null>`SELECT max(operation) FROM operations` ?? 0
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

/** Row numbers of sessions, asked for once: most memories of a change are of one. */
class SessionRows {
  readonly #sql: Sql
  readonly #known = new Map<string, number | null>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** `null` of one of which nothing is there. */
  of({ scope, session }: Memory): number | null {
    const name = `${scope}/${session}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const row =
      this.#sql.value<number>`SELECT session FROM sessions WHERE scope = ${scope} AND id = ${session}` ?? null
    this.#known.set(name, row)
    return row
  }
}

function writeMemory(
  sql: Sql,
  written: Written & { readonly sessions: SessionRows },
  memory: Memory,
  by: readonly PlacedOperation[],
): number {
  const last = by.at(-1)
  const operations = by.map(({ operation }) => operation)
  // What is reinforced is there, rests on what it rested on, and stays in its places of all indexes but one.
  if (operations.every(({ kind }) => kind === 'reinforce')) {
    const known = strengthen(sql, written, memory, last?.operation.sequence ?? 0)
    if (known !== undefined) return known
  }
  const { owner, revision } = written
  // What differs from a blank one: that leaves out most of its fields' names.
  const state = JSON.stringify(changeFromBlank(memory))
  const only = by.length === 1 && last?.operation.kind === 'add' ? last : undefined
  const said = only?.operation.payload ?? null
  const isSaid = said !== null && JSON.stringify(said.after) === state
  const payload = isSaid ? (only?.row ?? null) : null
  const { id, scope, form, status } = memory
  const number = sql.upsert('memories', ['owner', 'id'], {
    owner,
    scope,
    session: written.sessions.of(memory),
    sequence: last?.operation.sequence ?? 0,
    revision,
    form,
    status,
    payload,
    id,
    state: payload === null ? state : null,
    name: status === 'live' ? memory.name : null,
  })
  for (const turn of turnsQuoted(memory, operations))
    sql.run`INSERT OR IGNORE INTO evidence (turn, memory)
      SELECT turn, ${number} FROM turns WHERE owner = ${owner} AND id = ${turn}`
  return number
}

/** Writes what a memory is after it was used; its row number, or `undefined` of one that is not there. */
function strengthen(
  sql: Sql,
  { owner, revision }: Written,
  memory: Memory,
  sequence: number,
): number | undefined {
  const state = JSON.stringify(changeFromBlank(memory))
  return sql.value<number>`UPDATE memories SET sequence = ${sequence}, revision = ${revision}, payload = NULL, state = ${state}
    WHERE owner = ${owner} AND id = ${memory.id} RETURNING memory`
}

/** @param memories row numbers by id */
export function insertOperation(
  sql: Sql,
  owner: number,
  { operation, row }: PlacedOperation,
  memories: ReadonlyMap<string | null, number>,
): void {
  const { id, sequence, scope, kind, memory, at, round, parent, undoes, payload } = operation
  sql.insert('operations', {
    operation: row,
    owner,
    sequence,
    scope,
    kind,
    memory: memories.get(memory) ?? null,
    at,
    origin: numberOfName(sql, JSON.stringify(operation.origin)),
    session_number: operation.sessionNumber,
    round,
    parent,
    undoes,
    id,
  })
  for (const [place, { memory: touched, rank, tally }] of operation.touched.entries()) {
    const together = tally === undefined ? null : JSON.stringify(tally)
    sql.insert('touched', {
      operation: row,
      place,
      memory: memories.get(touched) ?? null,
      rank,
      tally: together,
    })
  }
  if (payload === null) return
  const before = payload.before === null ? null : JSON.stringify(payload.before)
  sql.insert('payloads', { operation: row, before, after: JSON.stringify(payload.after) })
}
