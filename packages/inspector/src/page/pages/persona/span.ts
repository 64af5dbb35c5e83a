/** A time span, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Smallest visible width of a value. */
const LEAST = 1

/**
 * A span's position on a line, in percent of the whole. Open spans last to the end of the line.
 *
 * @example
 * spanOf({ from: 0, to: 200 }, { from: 100, to: 150 }) // { left: 50, width: 25 }
 */
export function spanOf(whole: Span, part: Span): { readonly left: number; readonly width: number } {
  const length = Math.max(1, whole.to - whole.from)
  const place = (at: number): number => Math.min(100, Math.max(0, ((at - whole.from) / length) * 100))
  const end = Number.isNaN(part.to) ? 100 : place(part.to)
  const left = Math.min(place(part.from), 100 - LEAST)
  return { left, width: Math.max(LEAST, end - left) }
}
