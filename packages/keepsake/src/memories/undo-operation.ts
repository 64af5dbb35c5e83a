import { NotPossibleError } from '../errors/not-possible-error.ts'
import type { ChangeSet } from './change-set.ts'
import type { MemoryStatus, Origin } from './memory.ts'
import type { ChangeKind, MemoryChange, Operation } from './operation.ts'

/** Returns the kind of the inverse operation. */
function inverseKind(operation: Operation): ChangeKind {
  const status: MemoryStatus | undefined = operation.payload?.before?.status
  if (operation.kind === 'add') return 'delete'
  if (status === 'live' || status === 'quarantined') return 'restore'
  if (status === 'forgotten') return 'forget'
  if (status === 'deleted') return 'delete'
  return 'modify'
}

function inverseChange(operation: Operation): MemoryChange {
  if (operation.kind === 'add') return { status: 'deleted', reason: 'the operation that added it was undone' }
  return operation.payload?.before ?? {}
}

/** Refuses to undo if a later operation changed the same fields. */
function requireUnchanged(changes: ChangeSet, operation: Operation): void {
  if (operation.kind === 'add' || operation.memory === null || operation.payload === null) return
  const memory = changes.read(operation.memory)
  for (const [field, value] of Object.entries(operation.payload.after)) {
    const current = memory?.[field as keyof MemoryChange]
    if (JSON.stringify(current) !== JSON.stringify(value)) {
      throw new NotPossibleError(
        `Operation ${operation.id} cannot be undone: a later one changed the ${field} of memory ${operation.memory} again. Undo the later one first; history() lists them.`,
        { operation: operation.id, memory: operation.memory, field },
      )
    }
  }
}

function undoOne(changes: ChangeSet, operation: Operation, origin: Origin, parent: string | null): string {
  const cause = { origin, parent, undoes: operation.id }
  if (operation.kind === 'reinforce') return changes.reinforce(operation.touched, cause).id
  if (operation.kind === 'erase' || operation.memory === null || operation.payload === null) {
    throw new NotPossibleError(
      `Operation ${operation.id} (${operation.kind}) cannot be undone: what it held was erased for good.`,
      { operation: operation.id, kind: operation.kind },
    )
  }
  requireUnchanged(changes, operation)
  return changes.change(inverseKind(operation), operation.memory, inverseChange(operation), cause).id
}

/**
 * Undoes an operation and its children, latest first. An undo can be undone.
 *
 * @throws NotPossibleError when it was an erasure, or when something later changed the same fields.
 */
export function undoOperation(
  changes: ChangeSet,
  operation: Operation,
  children: readonly Operation[],
  origin: Origin,
): void {
  const main = undoOne(changes, operation, origin, null)
  const latestFirst = [...children].sort((a, b) => b.sequence - a.sequence)
  for (const child of latestFirst) undoOne(changes, child, origin, main)
}
