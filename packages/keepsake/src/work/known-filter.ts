import type { MemoryForm, MemoryStatus } from '../memories/memory.ts'
import type { MemoryTable } from './memory-table.ts'

/** Which memories are asked for. What is absent does not narrow. */
export interface KnownFilter {
  readonly scopes?: ReadonlySet<number> | undefined
  readonly forms?: readonly MemoryForm[] | undefined
  readonly statuses?: readonly MemoryStatus[] | undefined
}

/** Rows of the memories that are asked for, in the order in which they came. */
export function* rowsOf(table: MemoryTable, { scopes, forms, statuses }: KnownFilter): Generator<number> {
  for (let row = 0; row < table.length; row++) {
    if (scopes !== undefined && !scopes.has(table.scopeOf(row))) continue
    if (forms !== undefined && !forms.includes(table.formOf(row))) continue
    if (statuses !== undefined && !statuses.includes(table.statusOf(row))) continue
    yield row
  }
}
