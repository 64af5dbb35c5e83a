import type { MemoryForm, MemoryStatus } from '../memories/memory.ts'
import type { MemoryTable } from './memory-table.ts'

/** Which memories are asked for. What is absent does not narrow. */
export interface KnownFilter {
  readonly scopes?: ReadonlySet<number> | undefined
  readonly forms?: readonly MemoryForm[] | undefined
  readonly statuses?: readonly MemoryStatus[] | undefined
}

/** Rows of the memories that are asked for, in the order in which they came. */
export function* rowsOf(table: MemoryTable, filter: KnownFilter): Generator<number> {
  for (let row = 0; row < table.length; row++) if (isAsked(table, row, filter)) yield row
}

/** Whether a memory is asked for, told by columns alone. */
export function isAsked(table: MemoryTable, row: number, { scopes, forms, statuses }: KnownFilter): boolean {
  if (scopes !== undefined && !scopes.has(table.scopeOf(row))) return false
  if (forms !== undefined && !forms.includes(table.formOf(row))) return false
  return statuses === undefined || statuses.includes(table.statusOf(row))
}
