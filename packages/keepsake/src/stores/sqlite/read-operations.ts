import type { Origin } from '../../memories/memory.ts'
import type { MemoryChange, Operation, Tally, MemoryRef } from '../../memories/operation.ts'
import type { OperationQuery } from '../store.ts'
import { readNames } from './keep-names.ts'
import { name, part, Where, type Sql } from './sql.ts'

type OperationCells = Omit<Operation, 'origin' | 'touched' | 'payload'> & {
  readonly operation: number
  readonly origin: number
  readonly before: string | null
  readonly after: string | null
}

/** The log in order; with `memory`, also the recalls that touched it. */
export function readOperations(sql: Sql, query: OperationQuery): Operation[] {
  const { owner, memory, afterSequence, beforeSequence, newestFirst = false } = query
  const where = new Where()
    .equal('o.owner', owner)
    .among('o.scope', query.scopes)
    .among('o.kind', query.kinds)
    .among('o.id', query.ids)
    .equal('o.parent', query.parent)
  if (memory !== undefined) {
    const row = part`(SELECT memory FROM memories WHERE owner = ${owner} AND id = ${memory})`
    where.and`o.operation IN (SELECT a.operation FROM operations a WHERE a.memory = ${row}
      UNION SELECT b.operation FROM touched b WHERE b.memory = ${row})`
  }
  if (afterSequence !== undefined) where.and`o.sequence > ${afterSequence}`
  if (beforeSequence !== undefined) where.and`o.sequence < ${beforeSequence}`
  const order = name(newestFirst ? 'o.sequence DESC' : 'o.sequence')
  return sql.read(() => {
    const names = readNames(sql)
    const cells = sql.all<OperationCells>`SELECT o.operation, o.id, o.sequence, o.scope, o.kind, m.id AS memory,
        o.at, o.origin, o.parent, o.undoes, o.session_number AS sessionNumber, o.round, p.before, p.after
      FROM operations o LEFT JOIN memories m ON m.memory = o.memory LEFT JOIN payloads p ON p.operation = o.operation
      WHERE ${where} ORDER BY ${order} LIMIT ${query.limit ?? -1}`
    return cells.map((row) => decodeOperation(sql, row, names))
  })
}

function decodeOperation(sql: Sql, row: OperationCells, names: ReadonlyMap<number, string>): Operation {
  const { operation, before, after, origin, ...rest } = row
  const payload =
    after === null
      ? null
      : {
          before: before === null ? null : (JSON.parse(before) as MemoryChange),
          after: JSON.parse(after) as MemoryChange,
        }
  const touched = row.kind === 'reinforce' ? readTouched(sql, operation) : []
  return { ...rest, origin: JSON.parse(names.get(origin) ?? '{}') as Origin, touched, payload }
}

function readTouched(sql: Sql, operation: number): MemoryRef[] {
  return sql.cells<readonly [string, MemoryRef['rank'], string | null]>`SELECT m.id, t.rank, t.tally
    FROM touched t JOIN memories m ON m.memory = t.memory WHERE t.operation = ${operation} ORDER BY t.place`.map(
    ([memory, rank, tally]) =>
      tally === null ? { memory, rank } : { memory, rank, tally: JSON.parse(tally) as Tally },
  )
}
