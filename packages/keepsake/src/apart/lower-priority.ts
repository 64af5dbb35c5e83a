import { constants, setPriority } from 'node:os'

/**
 * Lets the thread that answers go first where there are fewer processors than threads. Linux keeps a priority for each thread, and takes
 * this one for the thread that asks; elsewhere it would be the whole process's, so it is left.
 */
export function giveWayToOthers(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not allowed here: then both have the same, as before.
  }
}
