/** How long one person's work goes on before others have their turn: short enough that a hundred of them wait seconds. */
const SLICE_MS = 100

/** The time that somebody's work may take until others, who wait too, go on with theirs. */
export interface TimeSlice {
  readonly isOver: boolean
}

/** As long as it takes. */
export const ENDLESS: TimeSlice = { isOver: false }

/** A slice that begins now. */
export function sliceOfTime(milliseconds = SLICE_MS): TimeSlice {
  const until = performance.now() + milliseconds
  return {
    get isOver() {
      return performance.now() >= until
    },
  }
}
