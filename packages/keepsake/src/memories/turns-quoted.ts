import type { Memory } from './memory.ts'
import type { MemoryChange, NewOperation } from './operation.ts'

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
