import type { ForgettingTalk } from './forgetting-talk.ts'

/** So many units held at most, or so many for a hundred of the data set's mean talk. */
export type Capacity = number | `${number}%`

const SHARE = /^(\d+(?:\.\d+)?)%$/

/**
 * Reads `16` or `10%`.
 *
 * @returns `null` of anything else, of less than one unit, of 0 % and of more than 100 %
 */
export function parseCapacity(text: string): Capacity | null {
  const share = Number(SHARE.exec(text.trim())?.[1])
  if (share > 0 && share <= 100) return `${share}%`
  const units = Number(text)
  return text.trim() !== '' && Number.isSafeInteger(units) && units >= 1 ? units : null
}

/**
 * How many units each capacity is, rising and each once. A share is of the data set's mean talk, so that every
 * talk is measured under one capacity, and at least one unit.
 */
export function resolveCapacities(
  capacities: readonly Capacity[],
  talks: readonly ForgettingTalk[],
): number[] {
  const whole = meanUnits(talks)
  const units = capacities.map((capacity) =>
    typeof capacity === 'number'
      ? capacity
      : Math.max(1, Math.round((whole * Number.parseFloat(capacity)) / 100)),
  )
  return [...new Set(units)].toSorted((a, b) => a - b)
}

/** The mean number of units a talk has; 0 of no talks. */
export function meanUnits(talks: readonly ForgettingTalk[]): number {
  return talks.reduce((sum, talk) => sum + talk.units.length, 0) / Math.max(1, talks.length)
}
