/** A day as people write it for machines to sort: 2026-04-11, in the time zone of this machine. */
export function formatDay(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return 'unknown'
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Day and time of day. */
export function formatMoment(at: number): string {
  return `${formatDay(at)} ${new Date(at).toTimeString().slice(0, 5)}`
}

/** A span a person can judge: 0.42 ms, 12 ms, 3.4 s. */
export function formatMilliseconds(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(1)} s`
  return `${milliseconds >= 10 ? Math.round(milliseconds) : milliseconds.toFixed(2)} ms`
}

/** 1.5 MB, 12 kB. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let size = bytes
  let unit = 0
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000
    unit += 1
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`
}

/** `1 turn`, `2,000 turns`. */
export function formatCount(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`
}
