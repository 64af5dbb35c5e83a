/**
 * Minutes that a time zone is ahead of UTC at a moment; 0 for none.
 *
 * @example
 * zoneOffset('Asia/Shanghai', Date.parse('2024-05-01')) // 480
 */
export function zoneOffset(timeZone: string | null, at: number): number {
  if (timeZone === null) return 0
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name)
  if (match === null) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return match[1] === '-' ? -minutes : minutes
}
