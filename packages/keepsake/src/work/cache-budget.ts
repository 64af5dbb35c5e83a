import { constrainedMemory } from 'node:process'
import { totalmem } from 'node:os'

/** What caches may take of the memory there is, unless told otherwise. */
const SHARE = 1 / 8
const LEAST_BYTES = 128 * 1024 * 1024

/** Bytes that all caches of a process may take: a share of the machine's memory, or of what the process may have of it. */
export function cacheBudget(total = totalmem(), constrained = constrainedMemory()): number {
  // Where nothing is set, the limit is 0 or beyond all there is.
  const memory = constrained > 0 ? Math.min(total, constrained) : total
  return Math.max(LEAST_BYTES, Math.floor(memory * SHARE))
}
