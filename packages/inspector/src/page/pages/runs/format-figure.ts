import type { Format } from '../../words/format.ts'
import type { Unit } from './report.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/**
 * A value in its unit, as a table shows it.
 *
 * @example
 * formatFigure(makeFormat('en'), 0.2323, 'share') // '23.2 %'
 */
export function formatFigure(format: Format, value: number, unit: Unit): string {
  switch (unit) {
    case 'share':
      return `${format.decimal(100 * value, 1)} %`
    case 'score':
      return format.decimal(value, 3)
    case 'tokens':
      return format.number(Math.round(value))
    case 'count':
      return Number.isInteger(value) ? format.number(value) : format.decimal(value, 2)
    case 'milliseconds':
      return formatMilliseconds(format, value)
    case 'bytes':
      return format.bytes(value)
  }
}

/**
 * A range in its unit, which is written once where both ends share it.
 *
 * @example
 * formatRange(makeFormat('en'), { low: 0.42, high: 0.58 }, 'share') // '42.0 … 58.0 %'
 */
export function formatRange(
  format: Format,
  { low, high }: { readonly low: number; readonly high: number },
  unit: Unit,
): string {
  const [from, until] = [formatFigure(format, low, unit), formatFigure(format, high, unit)]
  const [written = ''] = / \D+$/.exec(until) ?? []
  return `${written !== '' && from.endsWith(written) ? from.slice(0, -written.length) : from} … ${until}`
}

/**
 * How much more or less than another's, with its sign always; of shares in percentage points, which need no unit beside them.
 *
 * @example
 * formatDifference(makeFormat('en'), -0.05, 'share') // '−5.0'
 */
export function formatDifference(format: Format, value: number, unit: Unit): string {
  const size = Math.abs(value)
  const text = unit === 'share' ? format.decimal(100 * size, 1) : formatFigure(format, size, unit)
  if (!/[1-9]/.test(text)) return text
  return `${value > 0 ? '+' : '−'}${text}`
}

function formatMilliseconds(format: Format, value: number): string {
  const size = Math.abs(value)
  if (size >= MINUTE) return `${format.decimal(value / MINUTE, 1)} min`
  if (size >= SECOND) return `${format.decimal(value / SECOND, 1)} s`
  return `${format.decimal(value, size >= 10 ? 0 : 2)} ms`
}
