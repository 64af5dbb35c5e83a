import { constrainedMemory } from 'node:process'
import { totalmem } from 'node:os'

/** What caches may take of the memory there is, unless told otherwise. */
const SHARE = 1 / 8
const LEAST_BYTES = 128 * 1024 * 1024

/** What there is, in bytes. */
interface MachineMemory {
  readonly total: number
  /** What this process and those beside it may have of it. */
  readonly constrained: number
}

/**
 * Bytes that all caches of a process may take: a share of the machine's memory, or of what may be had of it.
 *
 * @param processes so many have caches of the same memory beside each other, and share that
 */
export function cacheBudget(
  processes = 1,
  { total, constrained }: MachineMemory = { total: totalmem(), constrained: constrainedMemory() },
): number {
  // Where nothing is set, the limit is 0 or beyond all there is.
  const memory = constrained > 0 ? Math.min(total, constrained) : total
  return Math.floor(Math.max(LEAST_BYTES, memory * SHARE) / Math.max(1, processes))
}
