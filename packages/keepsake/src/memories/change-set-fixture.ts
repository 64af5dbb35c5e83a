import { ChangeSet } from './change-set.ts'
import type { Memory } from './memory.ts'

/** A change set over these memories, with ids that count up, for tests. */
export function changesOver(memories: readonly Memory[]): ChangeSet {
  const known = new Map(memories.map((memory) => [memory.id, memory]))
  let next = 0
  return new ChangeSet(
    { scope: 1, at: 5_000, sessionNumber: 3, round: 9 },
    () => `id-${(next += 1)}`,
    (id) => known.get(id),
  )
}
