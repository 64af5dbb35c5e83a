// Collects the changes of one decision, and adds those that undo an operation.
import { applyOperation, changeFromBlank, fieldsBefore } from './apply-operation.ts'
import type { NewMemory } from './candidate.ts'
import type { Memory, Origin, MemoryStatus } from './memory.ts'
import {
  blankOperation,
  type ChangeKind,
  type ChangeMoment,
  type MemoryChange,
  type NewOperation,
  type OperationKind,
  type MemoryRef,
  type Operation,
} from './operation.ts'
import { NotPossibleError } from '../errors/errors.ts'

/** The cause of an operation: a step, with the operations it follows from or undoes. */
export type Cause =
  Origin | { readonly origin: Origin; readonly parent?: string | null; readonly undoes?: string | null }

/** Collects operations and the resulting memories for one commit. Reads see the changes so far. */
export class ChangeSet {
  readonly operations: NewOperation[] = []
  readonly #moment: ChangeMoment
  readonly #newId: () => string
  readonly #known: (id: string) => Memory | undefined
  readonly #changed = new Map<string, Memory>()

  constructor(moment: ChangeMoment, newId: () => string, known: (id: string) => Memory | undefined) {
    this.#moment = moment
    this.#newId = newId
    this.#known = known
  }

  get memories(): Memory[] {
    return [...this.#changed.values()]
  }

  read(id: string): Memory | undefined {
    return this.#changed.get(id) ?? this.#known(id)
  }

  add(memory: NewMemory, cause: Cause): Memory {
    const origin = 'origin' in cause ? cause.origin : cause
    const added: Memory = { ...memory, id: this.#newId(), scope: this.#moment.scope, origin }
    const payload = { before: null, after: changeFromBlank(added) }
    this.#apply(added.id, { ...this.#blank('add', cause), memory: added.id, payload })
    return added
  }

  /** Changes fields of a memory. @returns the operation, which others may name as their parent */
  change(kind: ChangeKind, id: string, after: MemoryChange, cause: Cause): NewOperation {
    const memory = this.read(id)
    if (memory === undefined) throw new Error(`memory ${id} is not known to this change set`)
    // A model wrote the search words for the former text.
    const isReworded = after.text !== undefined && after.text !== memory.text
    const isOutdated = isReworded && after.searchWords === undefined && memory.searchWords !== ''
    const change = isOutdated ? { ...after, searchWords: '' } : after
    const payload = { before: fieldsBefore(memory, change), after: change }
    return this.#apply(id, { ...this.#blank(kind, cause), memory: id, payload })
  }

  /** Records a recall in one operation. */
  reinforce(touched: readonly MemoryRef[], cause: Cause): NewOperation {
    const operation = { ...this.#blank('reinforce', cause), touched }
    this.operations.push(operation)
    for (const { memory } of touched) this.#project(memory, operation)
    return operation
  }

  /** Makes the operations from an index on children of `parent`, or of their first, so that one undo reverts all. @returns the parent */
  joinOperations(start: number, parent: string | null): string | null {
    const first = parent ?? this.operations[start]?.id ?? null
    for (const operation of this.operations.splice(start))
      this.operations.push(operation.id === first ? operation : { ...operation, parent: first })
    return first
  }

  #blank(kind: OperationKind, cause: Cause): NewOperation {
    const { origin, parent = null, undoes = null } = 'origin' in cause ? cause : { origin: cause }
    return { ...blankOperation(this.#newId(), kind, this.#moment, origin), parent, undoes }
  }

  #apply(id: string, operation: NewOperation): NewOperation {
    this.operations.push(operation)
    this.#project(id, operation)
    return operation
  }

  #project(id: string, operation: NewOperation): void {
    const after = applyOperation(this.read(id), operation, id)
    if (after !== undefined) this.#changed.set(id, after)
  }
}

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

/** Whether the memory of an operation has the values from before it again. */
function isUndone(changes: ChangeSet, operation: Operation): boolean {
  const before = Object.entries(inverseChange(operation))
  if (operation.memory === null || operation.payload === null || before.length === 0) return false
  const memory = changes.read(operation.memory)
  return before.every(
    ([field, value]) => JSON.stringify(memory?.[field as keyof MemoryChange]) === JSON.stringify(value),
  )
}

/**
 * Undoes an operation and its children, latest first. In a group of operations, some may be undone already, and these are skipped.
 *
 * @throws NotPossibleError for erasures and later changes
 */
export function undoOperation(
  changes: ChangeSet,
  operation: Operation,
  children: readonly Operation[],
  origin: Origin,
): void {
  const isInGroup = operation.parent !== null || children.length > 0
  const isSkipped = (candidate: Operation): boolean => isInGroup && isUndone(changes, candidate)
  const main = isSkipped(operation) ? null : undoOne(changes, operation, origin, null)
  const latestFirst = [...children].sort((a, b) => b.sequence - a.sequence)
  for (const child of latestFirst) if (!isSkipped(child)) undoOne(changes, child, origin, main)
}
