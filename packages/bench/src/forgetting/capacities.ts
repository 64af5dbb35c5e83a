import type { ForgettingTalk } from './forgetting-talk.ts'

/** A capacity in units of talk, or in percent of the mean talk of the data set. */
export type Capacity = number | `${number}%`

const SHARE = /^(\d+(?:\.\d+)?)%$/

/** Parses `16` or `10%`; `null` for anything else, below one unit, and outside 0 to 100 %. */
export function parseCapacity(text: string): Capacity | null {
  const share = Number(SHARE.exec(text.trim())?.[1])
  if (share > 0 && share <= 100) return `${share}%`
  const units = Number(text)
  return text.trim() !== '' && Number.isSafeInteger(units) && units >= 1 ? units : null
}

/** Converts capacities to units, sorted and without duplicates. A percentage is of the mean talk, so all talks have the same capacity. */
export function resolveCapacities(
  capacities: readonly Capacity[],
  talks: readonly ForgettingTalk[],
): number[] {
  const mean = meanUnits(talks)
  const units = capacities.map((capacity) => {
    if (typeof capacity === 'number') return capacity
    return Math.max(1, Math.round((mean * Number.parseFloat(capacity)) / 100))
  })
  return [...new Set(units)].toSorted((a, b) => a - b)
}

export function meanUnits(talks: readonly ForgettingTalk[]): number {
  return talks.reduce((sum, talk) => sum + talk.units.length, 0) / Math.max(1, talks.length)
}
