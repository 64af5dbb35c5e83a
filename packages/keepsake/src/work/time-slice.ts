/** How long one person's work keeps this thread busy before others have their turn: short enough that a hundred of them wait seconds. */
const BUSY_MS = 100
/**
 * The same where most of it is waiting, for a model or a store behind a socket, while others' work goes on beside it. To begin again costs
 * several ways to such a store, more than is mostly left to do.
 */
const LONGEST_MS = 1_000

/** The time that somebody's work may take until others, who wait too, go on with theirs. */
export interface TimeSlice {
  readonly isOver: boolean
}

/** As long as it takes. */
export const ENDLESS: TimeSlice = { isOver: false }

/** A slice that begins now. */
export function sliceOfTime(): TimeSlice {
  const began = performance.now()
  const before = performance.eventLoopUtilization()
  return {
    get isOver() {
      const passed = performance.now() - began
      if (passed < BUSY_MS) return false
      return passed >= LONGEST_MS || performance.eventLoopUtilization(before).active >= BUSY_MS
    },
  }
}
