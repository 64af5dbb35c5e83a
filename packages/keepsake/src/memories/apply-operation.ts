import { BLANK } from './memory.ts'
import type { Memory } from './memory.ts'
import type { MemoryChange, NewOperation } from './operation.ts'
import { countUse, discountUse, tallyOf } from './tally.ts'

/** A memory that is what a change makes of a blank one. */
export function memoryFromBlank(id: string, scope: number, change: MemoryChange): Memory {
  return { ...BLANK, id, scope, ...change }
}

/** The tombstone: that there was a memory, and nothing of what it said. */
const ERASED: MemoryChange = { status: 'erased' }

/**
 * The state a memory has after an operation: the one rule by which the log becomes memories, used when an
 * operation is first applied and when the projection is rebuilt.
 *
 * @param memory the state before; `undefined` for an `add`.
 * @param id which of the memories the operation touches.
 * @returns the state after, or `undefined` when the operation says nothing of this memory.
 */
export function applyOperation(
  memory: Memory | undefined,
  operation: NewOperation,
  id: string,
): Memory | undefined {
  if (memory?.status === 'erased') return memory
  const { scope, payload } = operation
  if (operation.kind === 'erase') return memoryFromBlank(id, scope, ERASED)
  if (operation.kind === 'reinforce') {
    const touched = operation.touched.find((entry) => entry.memory === id)
    if (memory === undefined || touched === undefined) return memory
    const tally = tallyOf(touched, operation)
    const use = operation.undoes === null ? countUse(memory.use, tally) : discountUse(memory.use, tally)
    return { ...memory, use }
  }
  if (payload === null) return memory ?? memoryFromBlank(id, scope, ERASED)
  return memory === undefined ? memoryFromBlank(id, scope, payload.after) : { ...memory, ...payload.after }
}

/** The fields of a memory that a change would overwrite, as they are: what undoing it puts back. */
export function fieldsBefore(memory: Memory, change: MemoryChange): MemoryChange {
  const keys = Object.keys(change) as (keyof MemoryChange)[]
  return Object.fromEntries(keys.map((key) => [key, memory[key]]))
}

/** The change that makes a blank memory into this one, leaving out what a blank one has anyway. */
export function changeFromBlank(memory: Memory): MemoryChange {
  const differing = FIELDS.filter(([key, written]) => !isBlank(memory[key], key, written))
  return Object.fromEntries(differing.map(([key]) => [key, memory[key]]))
}

/** A memory's fields, and how a blank one's are written. */
const FIELDS = (Object.keys(BLANK) as (keyof typeof BLANK)[]).map(
  (key) => [key, JSON.stringify(BLANK[key])] as const,
)

/** Whether a field is written as a blank memory's is. What is not made of parts, and no number that JSON does not know, is the same or is not. */
function isBlank(value: unknown, key: keyof typeof BLANK, written: string): boolean {
  const isPlain =
    value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  return isPlain ? value === BLANK[key] : JSON.stringify(value) === written
}

/** Memories from a whole log, in order of making. */
export function projectLog(operations: Iterable<NewOperation>): Map<string, Memory> {
  const memories = new Map<string, Memory>()
  for (const operation of operations) {
    const ids =
      operation.memory === null ? operation.touched.map((entry) => entry.memory) : [operation.memory]
    for (const id of ids) {
      const after = applyOperation(memories.get(id), operation, id)
      if (after !== undefined) memories.set(id, after)
    }
  }
  return memories
}
