import type { Memory } from './memory.ts'
import type { MemoryChange, NewOperation } from './operation.ts'

/**
 * Every turn that a memory rests on, in its present statement or a past one, or that its operations rest on: their payloads
 * may quote it, so erasing a turn must find the memory by it.
 */
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
  return [...evidence, ...past.flatMap((version) => version.evidence)].map((one) => one.turn)
}
