import {
  InvalidInputError,
  describeValue,
  readDate,
  readTime,
  requireKnownOptions,
  type Span,
} from '@keepsake/text'
import type { Memory } from './memory.ts'

/** A span of time. A side that is absent is open. Days, months and years without a time are whole, in the user's time zone or UTC. */
export interface TimeSpan {
  readonly from?: Date | number | string | undefined
  readonly to?: Date | number | string | undefined
}

export interface SpanFilters {
  /** The time at which a memory was said. */
  readonly said: Span | null
  /** The time in which a memory holds. */
  readonly during: Span | null
}

/**
 * Reads a span: its first moment, and the first moment after it.
 *
 * @throws InvalidInputError for a value that is no object, names neither side, or ends before it begins
 * @example
 * readSpan({ from: '2026-03', to: '2026-03-05' }, 'during', null) // 1 March to 6 March, 00:00 UTC
 */
export function readSpan(span: TimeSpan, name: string, timeZone: string | null): Span {
  if (typeof span !== 'object' || span === null || span instanceof Date)
    throw new InvalidInputError(
      `${name} must be a span such as { from: '2026-03-01', to: '2026-03-31' }, but it is ${describeValue(span)}.`,
    )
  requireKnownOptions(span, ['from', 'to'], name, 'field')
  if (span.from === undefined && span.to === undefined)
    throw new InvalidInputError(
      `${name} names neither from nor to. Give one of them or both, or leave ${name} out.`,
    )
  const sideOf = (side: 'from' | 'to'): Span | null =>
    span[side] === undefined ? null : readSide(span[side], `${name}.${side}`, timeZone)
  const from = sideOf('from')?.from ?? Number.NEGATIVE_INFINITY
  const to = sideOf('to')?.to ?? Number.POSITIVE_INFINITY
  if (from < to) return { from, to }
  throw new InvalidInputError(`${name} ends before it begins: its to must not be before its from.`)
}

function readSide(value: Date | number | string, name: string, timeZone: string | null): Span {
  const isPlainDate = typeof value === 'string' && /^\d{4}(?:-\d{2}){0,2}$/.test(value)
  const period = isPlainDate ? readDate(value, timeZone) : null
  if (period !== null) return period
  const at = readTime(value, name)
  return { from: at, to: at + 1 }
}

/** Whether a memory was said in the span `said`, by its turns' times, and held in the span `during`, also as a past version. */
export function isInSpans(
  { said, during }: SpanFilters,
  memory: Memory,
  timeOf: (turn: string) => number | undefined,
): boolean {
  if (said !== null && !timesSaid(memory, timeOf).some((at) => said.from <= at && at < said.to)) return false
  if (during === null) return true
  if (memory.form !== 'fact' && memory.form !== 'note')
    return timesSaid(memory, timeOf).some((at) => during.from <= at && at < during.to)
  return [memory, ...memory.past].some(
    ({ validFrom, validUntil }) => validFrom < during.to && (validUntil === null || validUntil > during.from),
  )
}

function timesSaid({ evidence, learnedAt }: Memory, timeOf: (turn: string) => number | undefined): number[] {
  const times = evidence.flatMap(({ turn }) => timeOf(turn) ?? [])
  return times.length === 0 ? [learnedAt] : times
}
