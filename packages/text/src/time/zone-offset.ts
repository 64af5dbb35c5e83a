import { tzOffset } from '@date-fns/tz/tzOffset'

/**
 * Returns the minutes that a time zone is ahead of UTC at a moment. Returns 0 for none or for an unknown zone.
 *
 * @param timeZone an IANA name or an offset, as `readTimeZone` gives it
 * @example
 * zoneOffset('Asia/Shanghai', Date.parse('2024-05-01')) // 480
 */
export function zoneOffset(timeZone: string | null, time: number): number {
  return timeZone === null ? 0 : tzOffset(timeZone, new Date(time)) || 0
}
