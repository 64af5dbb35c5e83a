import { applyOperation, changeFromBlank, fieldsBefore } from './apply-operation.ts'
import type { NewMemory } from './make-memory.ts'
import type { Memory, Origin } from './memory.ts'
import { blankOperation, type ChangeKind, type ChangeMoment, type MemoryChange } from './operation.ts'
import type { NewOperation, OperationKind, MemoryRef } from './operation.ts'

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

  /** The changed memories. */
  get memories(): Memory[] {
    return [...this.#changed.values()]
  }

  /** Reads the memory with the changes so far. */
  read(id: string): Memory | undefined {
    return this.#changed.get(id) ?? this.#known(id)
  }

  /** Adds a memory with a new id. */
  add(memory: NewMemory, cause: Cause): Memory {
    const origin = 'origin' in cause ? cause.origin : cause
    const whole: Memory = { ...memory, id: this.#newId(), scope: this.#moment.scope, origin }
    const payload = { before: null, after: changeFromBlank(whole) }
    this.#apply(whole.id, { ...this.#blank('add', cause), memory: whole.id, payload })
    return whole
  }

  /** Changes fields of a memory. @returns the operation, which others may name as their parent */
  change(kind: ChangeKind, id: string, after: MemoryChange, cause: Cause): NewOperation {
    const memory = this.read(id)
    if (memory === undefined) throw new Error(`memory ${id} is not known to this change set`)
    const payload = { before: fieldsBefore(memory, after), after }
    return this.#apply(id, { ...this.#blank(kind, cause), memory: id, payload })
  }

  /** Records a recall in one operation. */
  reinforce(touched: readonly MemoryRef[], cause: Cause): NewOperation {
    const operation = { ...this.#blank('reinforce', cause), touched }
    this.operations.push(operation)
    for (const { memory } of touched) this.#project(memory, operation)
    return operation
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
