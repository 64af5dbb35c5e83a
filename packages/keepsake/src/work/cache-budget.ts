import { totalmem } from 'node:os'
import { constrainedMemory } from 'node:process'

/** Share of the memory that caches may use by default. */
const CACHE_SHARE = 1 / 8
const MIN_CACHE_BYTES = 128 * 1024 * 1024

/** The machine's memory, in bytes. */
interface MachineMemory {
  readonly total: number
  /** Memory limit of the process or its container; 0 without one. */
  readonly constrained: number
}

/** Computes the bytes of a process's caches: a share of the memory or its limit, divided by `processes`. */
export function cacheBudget(
  processes = 1,
  { total, constrained }: MachineMemory = { total: totalmem(), constrained: constrainedMemory() },
): number {
  // Without a limit, some systems report 0 and others a number above the machine's memory.
  const memory = constrained > 0 ? Math.min(total, constrained) : total
  return Math.floor(Math.max(MIN_CACHE_BYTES, memory * CACHE_SHARE) / Math.max(1, processes))
}
