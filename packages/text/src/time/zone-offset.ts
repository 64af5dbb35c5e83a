import { tzOffset } from '@date-fns/tz/tzOffset'

/** Returns the minutes that a zone is ahead of UTC at a moment. Returns 0 for no zone or an unknown one. */
export function zoneOffset(timeZone: string | null, time: number): number {
  return timeZone === null ? 0 : tzOffset(timeZone, new Date(time)) || 0
}
