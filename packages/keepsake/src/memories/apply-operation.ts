// Projects the operation log: memories, and the turns that they ever quoted.
import { BLANK, type Memory } from './memory.ts'
import type { MemoryChange, NewOperation } from './operation.ts'
import { countUse, discountUse, tallyOf } from './tally.ts'

export function memoryFromBlank(id: string, scope: number, change: MemoryChange): Memory {
  return { ...BLANK, id, scope, ...change }
}

/** The tombstone of an erased memory, without its content. */
const ERASED: MemoryChange = { status: 'erased' }

/**
 * Applies an operation to a memory: the one rule by which the log becomes memories.
 *
 * @param memory the state before; `undefined` for an `add`
 * @param id which of the memories the operation touches
 * @returns the state after; `undefined` if the operation does not concern this memory
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

export function fieldsBefore(memory: Memory, change: MemoryChange): MemoryChange {
  const keys = Object.keys(change) as (keyof MemoryChange)[]
  return Object.fromEntries(keys.map((key) => [key, memory[key]]))
}

export function changeFromBlank(memory: Memory): MemoryChange {
  const differing = FIELDS.filter(([key, written]) => !isBlank(memory[key], key, written))
  return Object.fromEntries(differing.map(([key]) => [key, memory[key]]))
}

/** The fields of a memory, with their serialised blank values. */
const FIELDS = (Object.keys(BLANK) as (keyof typeof BLANK)[]).map(
  (key) => [key, JSON.stringify(BLANK[key])] as const,
)

/** Checks for a blank field. Plain values are compared directly, others as JSON. */
function isBlank(value: unknown, key: keyof typeof BLANK, written: string): boolean {
  const isPlain =
    value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  return isPlain ? value === BLANK[key] : JSON.stringify(value) === written
}

/** Projects a whole log into memories, in order of creation. */
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

/** Collects every turn that a memory or its operations rest on, now or in the past; erasing a turn finds the memory by it. */
export function turnsQuoted(
  memory: Memory,
  operations: Iterable<Pick<NewOperation, 'payload'>>,
): Set<string> {
  const turns = new Set(turnsOf(memory))
  for (const { payload } of operations) {
    for (const turn of turnsOf(payload?.before ?? {})) turns.add(turn)
    for (const turn of turnsOf(payload?.after ?? {})) turns.add(turn)
  }
  return turns
}

function turnsOf({ evidence = [], past = [] }: MemoryChange): string[] {
  return [...evidence, ...past.flatMap((version) => version.evidence)].map((source) => source.turn)
}
