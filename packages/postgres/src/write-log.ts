import {
  changeFromBlank,
  InvalidInputError,
  turnsQuoted,
  type Memory,
  type NewOperation,
  type Operation,
} from 'keepsake/store-kit'
import { among, type Row, type Sql } from './connection/sql.ts'
import { name, part } from './connection/sql-part.ts'
import { knownScopes, requireScopes, type Person } from './keep-scopes.ts'
import type { Names } from './names.ts'

/** A memory as it stands in its row. */
export interface MemoryRow {
  readonly id: string
  /** The row's number. */
  readonly memory: number
  /** Of the last operation that changed it. */
  readonly sequence: number
  readonly status: string
}

/** What of the store a change of the log rests on, read under the person's lock. */
export interface LogStanding {
  readonly scopes: Pick<ReadonlySet<number>, 'has'>
  /** The memories named, those that are there, by id. */
  readonly memories: ReadonlyMap<string, MemoryRow>
  /** Numbers of the turns quoted, those that are there, by id. */
  readonly turns: ReadonlyMap<string, number>
}

/** A change of the log, and whose it is; `person` has the counters from before it, but the revision that rows are to carry. */
export interface LogChange {
  readonly person: Person
  readonly operations: readonly NewOperation[]
  /** The memories these operations leave, whole. */
  readonly memories: readonly Memory[]
}

/** Which operations touch each memory, in order; memories in order of first touch. */
function touchesByMemory(operations: readonly Operation[]): Map<string, Operation[]> {
  const touches = new Map<string, Operation[]>()
  for (const operation of operations) {
    for (const id of touchedBy(operation)) {
      const known = touches.get(id)
      if (known === undefined) touches.set(id, [operation])
      else known.push(operation)
    }
  }
  return touches
}

/** Ids of the memories that an operation is about. */
export function touchedBy({ memory, touched }: NewOperation): string[] {
  return memory === null ? touched.map((each) => each.memory) : [memory]
}

/** What `writeLog` needs to know; asked together with whatever else the caller asks. */
export async function readLogStanding(
  sql: Sql,
  owner: number,
  change: Omit<LogChange, 'person'>,
): Promise<LogStanding> {
  const scopes = [...new Set([...change.operations, ...change.memories].map((entry) => entry.scope))]
  const [known, rows] = await Promise.all([knownScopes(sql, owner, scopes), readLogRows(sql, owner, change)])
  return { scopes: known, ...rows }
}

/** The same without the scopes, for who reads more of these. @param more memories that are asked about besides */
export async function readLogRows(
  sql: Sql,
  owner: number,
  { operations, memories }: Omit<LogChange, 'person'>,
  more: readonly string[] = [],
): Promise<Omit<LogStanding, 'scopes'>> {
  const ids = new Set([...operations.flatMap(touchedBy), ...memories.map(({ id }) => id), ...more])
  // The operations once, and not once a memory: an import brings thousands of both.
  const quoted = new Set(
    memories.flatMap((memory, index) => [...turnsQuoted(memory, index === 0 ? operations : [])]),
  )
  const [rows, turns] = await Promise.all([
    among(
      [...ids],
      (some) => sql.all<MemoryRow>`SELECT id, memory, sequence, status FROM memories
        WHERE owner = ${owner} AND id = ANY(${some})`,
    ),
    among(
      [...quoted],
      (some) => sql.cells<readonly [string, number]>`SELECT id, turn FROM turns
        WHERE owner = ${owner} AND id = ANY(${some})`,
    ),
  ])
  return { memories: new Map(rows.map((row) => [row.id, row])), turns: new Map(turns) }
}

/** Names that the log is written with, to be known before its transaction. */
export function originsOf(operations: readonly NewOperation[]): string[] {
  return operations.map(({ origin }) => JSON.stringify(origin))
}

/**
 * Writes operations and the memories they leave, in the order in which the log makes them. A new memory's number is the
 * sequence of the operation that made it.
 *
 * @returns the operations with their places, and the person with the log's end
 * @throws InvalidInputError when the memories are not just those that the operations touch: the log and its
 * projection would part.
 */
export function writeLog(
  sql: Sql,
  names: Names,
  change: LogChange,
  standing: LogStanding,
): {
  readonly operations: Operation[]
  readonly person: Person
  readonly numbers: ReadonlyMap<string, number>
} {
  const { person } = change
  requireScopes(
    standing.scopes,
    [...change.operations, ...change.memories].map(({ scope }) => scope),
  )
  const operations = change.operations.map((operation, index) => ({
    ...operation,
    sequence: person.sequence + index + 1,
  }))
  const touches = touchesByMemory(operations)
  requireProjection(touches, change.memories)
  const numbers = new Map<string, number>()
  for (const [id, [first]] of touches)
    numbers.set(id, standing.memories.get(id)?.memory ?? first?.sequence ?? 0)
  writeMemories(sql, change, touches, numbers)
  writeEvidence(sql, change, { touches, numbers, turns: standing.turns })
  writeOperations(sql, names, person.owner, { operations, numbers })
  return { operations, person: { ...person, sequence: person.sequence + operations.length }, numbers }
}

function requireProjection(touches: ReadonlyMap<string, unknown>, memories: readonly Memory[]): void {
  const left = new Set(memories.map(({ id }) => id))
  for (const id of touches.keys()) {
    if (!left.has(id))
      throw new InvalidInputError(`An operation touches memory "${id}", and what it leaves is not given.`)
  }
  for (const id of left) {
    if (!touches.has(id))
      throw new InvalidInputError(`No operation touches memory "${id}": the log could not yield it.`)
  }
}

type Touches = ReadonlyMap<string, readonly Operation[]>

const WRITTEN = [
  'scope',
  'session',
  'sequence',
  'revision',
  'form',
  'type',
  'status',
  'said',
  'state',
  'name',
]
const AS_GIVEN = name(`DO UPDATE SET ${WRITTEN.map((one) => `${one} = excluded.${one}`).join(', ')}`)

function writeMemories(
  sql: Sql,
  { person, memories }: LogChange,
  touches: Touches,
  numbers: ReadonlyMap<string, number>,
): void {
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const rows = [...touches].map(([id, by]): Row => {
    const memory = byId.get(id)
    if (memory === undefined) throw new Error('checked before')
    return {
      owner: person.owner,
      memory: numbers.get(id) ?? 0,
      revision: person.revision,
      ...memoryRow(memory, by),
    }
  })
  sql.insert('memories', rows, part`ON CONFLICT (owner, memory) ${AS_GIVEN}`)
}

/** What differs from a blank one is kept, and that only where the operation that made it says something else. */
function memoryRow(memory: Memory, by: readonly Operation[]): Row {
  const last = by.at(-1)
  const state = JSON.stringify(changeFromBlank(memory))
  const only = by.length === 1 && last?.kind === 'add' ? last : undefined
  const said = only?.payload ?? null
  const isSaid = said !== null && JSON.stringify(said.after) === state
  const { id, scope, session, form, type, status } = memory
  return {
    scope,
    session,
    sequence: last?.sequence ?? 0,
    form,
    type,
    status,
    said: isSaid ? (only?.sequence ?? null) : null,
    id,
    state: isSaid ? null : state,
    name: status === 'live' ? memory.name : null,
  }
}

interface EvidenceOf {
  readonly touches: Touches
  readonly numbers: ReadonlyMap<string, number>
  readonly turns: ReadonlyMap<string, number>
}

/** Every turn that a memory rests on, or ever rested on: erasing a turn finds the memory by it. */
function writeEvidence(
  sql: Sql,
  { person, memories }: LogChange,
  { touches, numbers, turns }: EvidenceOf,
): void {
  const { owner } = person
  const rows = memories.flatMap((memory) =>
    [...turnsQuoted(memory, touches.get(memory.id) ?? [])].flatMap((id) => {
      const turn = turns.get(id)
      return turn === undefined ? [] : [{ owner, turn, memory: numbers.get(memory.id) ?? 0 }]
    }),
  )
  sql.insert('evidence', rows, part`ON CONFLICT DO NOTHING`)
}

/** In the order of what was touched; `null` where no recall stands for several. */
function encodeTallies(touched: Operation['touched']): string | null {
  return touched.some(({ tally }) => tally !== undefined)
    ? JSON.stringify(touched.map(({ tally = null }) => tally))
    : null
}

interface Placed {
  readonly operations: readonly Operation[]
  readonly numbers: ReadonlyMap<string, number>
}

/** @param placed operations with their places, and numbers of memories by id */
export function writeOperations(
  sql: Sql,
  names: Names,
  owner: number,
  { operations, numbers }: Placed,
): void {
  const numberOf = (id: string): number => numbers.get(id) ?? 0
  sql.insert(
    'operations',
    operations.map((operation) => ({
      owner,
      sequence: operation.sequence,
      scope: operation.scope,
      kind: operation.kind,
      memory: operation.memory === null ? null : numberOf(operation.memory),
      touched: `{${operation.touched.map((each) => numberOf(each.memory)).join(',')}}`,
      ranks: operation.touched.map(({ rank }) => (rank === 'first' ? '1' : '2')).join(''),
      tallies: encodeTallies(operation.touched),
      at: operation.at,
      origin: names.numberOf(JSON.stringify(operation.origin)),
      session_number: operation.sessionNumber,
      round: operation.round,
      parent: operation.parent,
      undoes: operation.undoes,
      id: operation.id,
    })),
  )
  const payloads = operations.flatMap(({ sequence, payload }) => {
    if (payload === null) return []
    const before = payload.before === null ? null : JSON.stringify(payload.before)
    return [{ owner, sequence, before, after: JSON.stringify(payload.after) }]
  })
  sql.insert('payloads', payloads)
}
