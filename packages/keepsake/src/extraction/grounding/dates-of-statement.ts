// Lists the days on which a statement and its turns are dated.
import type { Candidate } from '../../memories/candidate.ts'
import type { Turn } from '../../turns/turn.ts'

export const DAY_MS = 86_400_000

/** Returns the days of the times of a statement and of turns, with the days before and after for other time zones. */
export function daysOfTimes(candidate: Candidate, turns: readonly Turn[]): Date[] {
  const times = [candidate.validFrom, candidate.validUntil, ...turns.map((turn) => turn.at)]
  return times
    .flatMap((time) => (time === null ? [] : [time - DAY_MS, time, time + DAY_MS]))
    .map((time) => new Date(time))
    .filter((day) => !Number.isNaN(day.getTime()))
}

/** Returns the numbers of the days, months and years of a statement and of turns, as they may be written. */
export function numbersOfTimes(candidate: Candidate, turns: readonly Turn[]): Set<string> {
  const parts = daysOfTimes(candidate, turns).flatMap((day) => [
    day.getUTCFullYear(),
    day.getUTCMonth() + 1,
    day.getUTCDate(),
  ])
  // Days and months are written in two forms: "3" in "3 May", "03" in "2024-05-03".
  return new Set(parts.flatMap((part) => [String(part), String(part).padStart(2, '0')]))
}
