/** A part of a score. */
export interface RankedPart {
  readonly name: string
  readonly value: number
}

/** Smaller parts would show as 0.00. */
const SEEN = 0.005

/** The visible parts of a score, largest first, positive or negative. */
export function rankParts(parts: Readonly<Record<string, number>>): readonly RankedPart[] {
  return Object.entries(parts)
    .map(([name, value]) => ({ name, value }))
    .filter(({ value }) => Math.abs(value) >= SEEN)
    .toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value))
}
