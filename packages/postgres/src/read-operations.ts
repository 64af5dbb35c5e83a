import type { MemoryChange, Operation, OperationQuery, Origin, Tally, MemoryRef } from 'keepsake/store-kit'
import type { Sql } from './connection/sql.ts'
import { name, Where } from './connection/sql-part.ts'
import type { Database } from './database.ts'

interface OperationCells extends Omit<Operation, 'origin' | 'touched' | 'payload' | 'memory'> {
  readonly origin: number
  readonly memory: number | null
  readonly touched: readonly number[]
  readonly ranks: string
  readonly tallies: string | null
  readonly before: string | null
  readonly after: string | null
}

/** The log in order; with `memory`, also the recalls that touched it. */
export async function readOperations(
  { transactions, names }: Database,
  query: OperationQuery,
): Promise<Operation[]> {
  const { owner } = query
  const { cells, ids } = await transactions.readOn({ owner }, (sql) => readCells(sql, query))
  const nameOf = await names.nameAll(cells.map(({ origin }) => origin))
  return cells.map((row) => decodeOperation(row, ids, nameOf))
}

async function readCells(
  sql: Sql,
  query: OperationQuery,
): Promise<{ cells: OperationCells[]; ids: ReadonlyMap<number, string> }> {
  const { owner, memory, afterSequence, beforeSequence, newestFirst = false } = query
  const where = new Where().and`o.owner = ${owner}`
    .among('o.scope', query.scopes)
    .among('o.kind', query.kinds)
    .among('o.id', query.ids)
    .equal('o.parent', query.parent)
  if (memory !== undefined) {
    const number =
      await sql.value<number>`SELECT memory FROM memories WHERE owner = ${owner} AND id = ${memory}`
    where.and`(o.memory = ${number ?? null} OR o.memory IS NULL AND o.touched @> ARRAY[${number ?? null}::bigint])`
  }
  if (afterSequence !== undefined) where.and`o.sequence > ${afterSequence}`
  if (beforeSequence !== undefined) where.and`o.sequence < ${beforeSequence}`
  const direction = name(newestFirst ? 'DESC' : 'ASC')
  const cells =
    await sql.all<OperationCells>`SELECT o.id, o.sequence, o.scope, o.kind, o.memory, o.touched, o.ranks, o.tallies, o.at,
      o.origin, o.parent, o.undoes, o.session_number AS "sessionNumber", o.round, p.before, p.after
    FROM operations o LEFT JOIN payloads p ON p.owner = o.owner AND p.sequence = o.sequence
    WHERE ${where.part} ORDER BY o.sequence ${direction} LIMIT ${query.limit ?? null}`
  const numbers = [...new Set(cells.flatMap((row) => [...row.touched, row.memory ?? 0]))]
  const ids = await sql.cells<readonly [number, string]>`SELECT memory, id FROM memories
    WHERE owner = ${owner} AND memory = ANY(${numbers})`
  return { cells, ids: new Map(ids) }
}

function decodeOperation(
  row: OperationCells,
  ids: ReadonlyMap<number, string>,
  nameOf: (number: number | null) => string | null,
): Operation {
  const { memory, touched, ranks, tallies, before, after, origin, ...rest } = row
  const payload =
    after === null
      ? null
      : {
          before: before === null ? null : (JSON.parse(before) as MemoryChange),
          after: JSON.parse(after) as MemoryChange,
        }
  const together = tallies === null ? [] : (JSON.parse(tallies) as readonly (Tally | null)[])
  const touches = touched.map((number, place): MemoryRef => {
    const tally = together[place] ?? null
    const told = { memory: ids.get(number) ?? '', rank: ranks[place] === '1' ? 'first' : 'second' } as const
    return tally === null ? told : { ...told, tally }
  })
  return {
    ...rest,
    memory: memory === null ? null : (ids.get(memory) ?? null),
    origin: JSON.parse(nameOf(origin) ?? '{}') as Origin,
    touched: touches,
    payload,
  }
}
