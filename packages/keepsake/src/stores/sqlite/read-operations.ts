import type { Origin } from '../../memories/memory.ts'
import type { MemoryChange, Operation, OperationKind, Touched } from '../../memories/operation.ts'
import type { OperationQuery } from '../store.ts'
import { readNames } from './keep-names.ts'
import type { Sql } from './sql.ts'
import { Where } from './where.ts'

interface OperationCells {
  readonly operation: number
  readonly id: string
  readonly sequence: number
  readonly scope: number
  readonly kind: OperationKind
  readonly memory: string | null
  readonly at: number
  readonly origin: number
  readonly parent: string | null
  readonly undoes: string | null
  readonly sessionNumber: number
  readonly round: number
  readonly before: string | null
  readonly after: string | null
}

/** The log in order; with `memory`, also the recalls that touched it. */
export function readOperations(sql: Sql, query: OperationQuery): Operation[] {
  const { owner, memory, afterSequence } = query
  const where = new Where()
    .equal('o.owner', owner)
    .among('o.scope', query.scopes)
    .among('o.id', query.ids)
    .equal('o.parent', query.parent)
  if (memory !== undefined) {
    const touching = `o.operation IN (
      SELECT a.operation FROM operations a WHERE a.memory = (SELECT memory FROM memories WHERE owner = ? AND id = ?)
      UNION SELECT b.operation FROM touched b WHERE b.memory = (SELECT memory FROM memories WHERE owner = ? AND id = ?))`
    where.and(touching, owner, memory, owner, memory)
  }
  if (afterSequence !== undefined) where.and('o.sequence > ?', afterSequence)
  return sql.read(() => {
    const names = readNames(sql)
    const cells = sql.all<OperationCells>(
      `SELECT o.operation, o.id, o.sequence, o.scope, o.kind, m.id AS memory, o.at, o.origin, o.parent, o.undoes,
         o.session_number AS sessionNumber, o.round, p.before, p.after
       FROM operations o LEFT JOIN memories m ON m.memory = o.memory LEFT JOIN payloads p ON p.operation = o.operation
       WHERE ${where.text} ORDER BY o.sequence LIMIT ?`,
      ...where.values,
      query.limit ?? -1,
    )
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

function readTouched(sql: Sql, operation: number): Touched[] {
  return sql.all<Touched>(
    `SELECT m.id AS memory, t.rank FROM touched t JOIN memories m ON m.memory = t.memory
     WHERE t.operation = ? ORDER BY t.place`,
    operation,
  )
}
