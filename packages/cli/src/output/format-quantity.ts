/** The Swedish locale writes times like ISO 8601: 2026-04-11 18:05. */
const ISO_LOCALE = 'sv'

/** Formats a day in this machine's time zone so that days can be sorted: 2026-04-11. */
export const formatDay = (time: number): string => new Date(time).toLocaleDateString(ISO_LOCALE)

export const formatMoment = (time: number): string =>
  new Date(time).toLocaleString(ISO_LOCALE, { dateStyle: 'short', timeStyle: 'short' })

/** Formats the period in which a memory held; without an end if it still holds. */
export const formatSpan = (from: number, until: number | null): string =>
  until === null ? formatDay(from) : `${formatDay(from)} to ${formatDay(until)}`

/** Formats a duration: 0.42 ms, 12 ms, 3.4 s. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(1)} s`
  return `${milliseconds >= 10 ? Math.round(milliseconds) : milliseconds.toFixed(2)} ms`
}

/** `1 turn`, `2,000 turns`. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`
}
