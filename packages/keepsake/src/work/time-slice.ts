/** How long one person's work keeps this process busy before others have their turn: short enough that a hundred of them wait seconds. */
const BUSY_MS = 100
/**
 * The same where most of it is waiting, for a model, a store behind a socket or a processor that others have, while others' work goes on
 * beside it. To begin again costs several ways to such a store, more than is mostly left to do.
 */
const LONGEST_MS = 5_000

/** The time that somebody's work may take until others, who wait too, go on with theirs. */
export interface TimeSlice {
  readonly isOver: boolean
}

/** As long as it takes. */
export const ENDLESS: TimeSlice = { isOver: false }

/** What passes: time, and what of it this process was at work. Both in milliseconds. */
export interface SliceClock {
  readonly now: () => number
  readonly busy: () => number
}

/** To ask for the processor time costs more than some steps do: what was told so lately is as good. */
const GOOD_FOR_MS = 5

/** Tells a time that is dear to ask for: the same again for a few milliseconds. @param now in milliseconds */
export function askedSeldom(ask: () => number, now: () => number): () => number {
  let [told, at] = [0, Number.NEGATIVE_INFINITY]
  return () => {
    if (now() - at < GOOD_FOR_MS) return told
    at = now()
    told = ask()
    return told
  }
}

const now = (): number => performance.now()

const CLOCK: SliceClock = {
  now,
  // Not the event loop's own time, in which it waits for a processor as well.
  busy: askedSeldom(() => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000
  }, now),
}

/** A slice that begins now. */
export function sliceOfTime({ now, busy }: SliceClock = CLOCK): TimeSlice {
  const [began, before] = [now(), busy()]
  return {
    get isOver() {
      const passed = now() - began
      if (passed < BUSY_MS) return false
      return passed >= LONGEST_MS || busy() - before >= BUSY_MS
    },
  }
}
