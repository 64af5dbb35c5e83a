import type { Figure } from '../../log/figure.ts'
import type { PublishedUnit, MeasuredFigure } from '../registry/paper.ts'

/** The factors that convert figures of runs to the units of the paper's columns. */
const SCALE: Readonly<Record<PublishedUnit, number>> = {
  percent: 100,
  share: 1,
  score: 1,
  count: 1,
  minutes: 1 / 60_000,
}

/** The place of a figure in a table. */
export type Place = Pick<MeasuredFigure, 'row' | 'column' | 'paperRow' | 'unit'>

/** Converts a figure of a run to the unit of the paper's column: shares to percent, milliseconds to minutes. */
export function scaleFigure(
  place: Place,
  { value, interval, count, judge }: Pick<Figure, 'value' | 'interval' | 'count' | 'judge'>,
): MeasuredFigure {
  const scale = SCALE[place.unit]
  return {
    ...place,
    value: value === null ? null : value * scale,
    interval: interval === null ? null : { low: interval.low * scale, high: interval.high * scale },
    count,
    judge,
  }
}

/** Makes a figure from a value that is already in the unit of the paper's column. */
export function makeFigure(place: Place, value: number | null, count: number): MeasuredFigure {
  return { ...place, value, interval: null, count, judge: null }
}
