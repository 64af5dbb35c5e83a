import { measureSums, type SumMetric } from '../../metrics/sum-metric.ts'
import type { Figure } from '../figure.ts'
import type { EntryOf, LogEntry } from '../log-entry.ts'

/** What the figures of a run are made with. */
export interface FigureContext {
  /** Whose verdicts the log holds; `null`: none. */
  readonly judge: string | null
  /** Who answered; `null`: the systems did, and what that cost in tokens cannot be told. */
  readonly reader: string | null
  /** Of the resampling. */
  readonly seed: number
}

/** What all figures of a table share. */
export type FigureKind = Pick<Figure, 'task' | 'unit' | 'judge'>

/** A part of a log: `all`, or `category:…`, `type:…`. */
export interface Slice<T> {
  readonly name: string
  readonly entries: readonly T[]
}

const ALL = 'all'

export function entriesOf<K extends LogEntry['entry']>(entries: readonly LogEntry[], kind: K): EntryOf<K>[] {
  return entries.filter((entry): entry is EntryOf<K> => entry.entry === kind)
}

export function wholeOf<T>(entries: readonly T[]): Slice<T>[] {
  return entries.length === 0 ? [] : [{ name: ALL, entries }]
}

/** Everything, then each part in the order of its name; what has no key is in no part. */
export function sliceBy<T>(
  entries: readonly T[],
  kind: string,
  keyOf: (entry: T) => string | null,
): Slice<T>[] {
  const parts = [...Map.groupBy(entries, keyOf)]
    .flatMap(([key, own]) => (key === null ? [] : [{ name: `${kind}:${key}`, entries: own }]))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return [...wholeOf(entries), ...parts]
}

/** Each metric on each slice, with its interval over people. A part in which nothing bears on it has no figure. */
export function sumFigures<T extends { readonly person: string }>(
  kind: FigureKind,
  metrics: readonly SumMetric<T>[],
  slices: readonly Slice<T>[],
  seed: number,
): Figure[] {
  return slices.flatMap(({ name: slice, entries }) =>
    metrics.flatMap((metric): Figure[] => {
      const { value, interval, count } = measureSums(metric, entries, { seed })
      if (count === 0 && slice !== ALL) return []
      return [figure(kind, { metric: metric.name, slice, value, interval, count })]
    }),
  )
}

/** One figure; what is not a number cannot be told. */
export function figure(
  { task, unit, judge }: FigureKind,
  {
    metric,
    slice,
    value,
    interval,
    count,
  }: Pick<Figure, 'metric' | 'slice' | 'value' | 'interval' | 'count'>,
): Figure {
  const told = value !== null && Number.isFinite(value) ? value : null
  return { task, metric, slice, value: told, interval: told === null ? null : interval, count, unit, judge }
}
