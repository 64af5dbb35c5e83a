import type { Unit } from '../log/figure.ts'

/** Replaces control and direction characters, which could move a cursor or reorder a text, by spaces. Line breaks and tabs stay. */
export function plainText(text: string): string {
  return text.replaceAll(/(?![\n\t])[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}

/** The text of a cell without a value. */
export const NOTHING = '–'

/** Formats a value for a table. A share becomes per cent without the sign, which the column's head shows. */
export function formatValue(value: number, unit: Unit): string {
  switch (unit) {
    case 'share':
      return fixed(100 * value, 1)
    case 'score':
      return fixed(value, 3)
    case 'count':
      return Number.isInteger(value) ? formatCount(value) : fixed(value, Math.abs(value) < 10 ? 2 : 1)
    case 'tokens':
      return formatCount(value)
    case 'milliseconds':
      return formatMilliseconds(value)
    case 'bytes':
      return formatBytes(value)
  }
}

export function formatWithUnit(value: number, unit: Unit): string {
  return `${formatValue(value, unit)}${unit === 'share' ? ' %' : ''}`
}

/** Formats an interval, such as `55.0–68.2`. The ends are joined by “to” if one is below zero. */
export function formatInterval({ low, high }: { low: number; high: number }, unit: Unit): string {
  const parts = [formatValue(low, unit), formatValue(high, unit)]
  return parts.join(low < 0 || high < 0 ? ' to ' : '–')
}

export function formatDifference(value: number, unit: Unit): string {
  return `${value > 0 ? '+' : ''}${formatValue(value, unit)}`
}

/** Formats a p-value, such as `0.031` or `<0.001`. */
export function formatP(p: number): string {
  return p < 0.001 ? '<0.001' : p.toFixed(3)
}

/** Formats a whole number with thousands separators. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en').replace('-', '−')
}

function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits)
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−')
}

function formatMilliseconds(value: number): string {
  const size = Math.abs(value)
  if (size >= 3_600_000) return `${fixed(value / 3_600_000, 1)} h`
  if (size >= 60_000) return `${fixed(value / 60_000, 1)} min`
  if (size >= 1_000) return `${fixed(value / 1_000, 1)} s`
  return `${fixed(value, size >= 10 ? 0 : 2)} ms`
}

function formatBytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const
  let size = value
  let unitIndex = 0
  while (Math.abs(size) >= 1_000 && unitIndex < units.length - 1) {
    size /= 1_000
    unitIndex += 1
  }
  const digits = unitIndex === 0 || Math.abs(size) >= 100 ? 0 : 1
  return `${fixed(size, digits)} ${units[unitIndex] ?? ''}`
}
