import { ALL, type Figure } from '../../log/figure.ts'
import type { EntryOf, LogEntry } from '../../log/log-entry.ts'
import { measureSums, type SumMetric } from '../../metrics/sum-metric.ts'

export interface FigureContext {
  /** The log's judge: the column of every judged figure. `null`: none. */
  readonly judge: string | null
  /** The reader; `null`: systems answered themselves, with unknown token cost. */
  readonly reader: string | null
  readonly seed: number
}

export type FigureKind = Pick<Figure, 'task' | 'unit' | 'judge'>

export interface Slice<T> {
  readonly name: string
  readonly entries: readonly T[]
}

export function entriesOf<K extends LogEntry['entry']>(entries: readonly LogEntry[], kind: K): EntryOf<K>[] {
  return entries.filter((entry): entry is EntryOf<K> => entry.entry === kind)
}

export function wholeOf<T>(entries: readonly T[]): Slice<T>[] {
  return entries.length === 0 ? [] : [{ name: ALL, entries }]
}

/** The whole, then each part by name; items without a key are in no part. */
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

/** Each metric on each slice, with its interval over people. Parts without covered items have no figure. */
export function sumFigures<T extends { readonly person: string }>(
  kind: FigureKind,
  metrics: readonly SumMetric<T>[],
  slices: readonly Slice<T>[],
  seed: number,
): Figure[] {
  return slices.flatMap(({ name: slice, entries }) =>
    metrics.flatMap((metric): Figure[] => {
      const { value, interval, count } = measureSums(metric, entries, { seed })
      return count === 0 && slice !== ALL
        ? []
        : [figure(kind, { metric: metric.name, slice, value, interval, count })]
    }),
  )
}

/** One figure; NaN is unknown. By default of all items and without an interval. */
export function figure(
  kind: FigureKind,
  of: Pick<Figure, 'metric' | 'value' | 'count'> & Partial<Pick<Figure, 'slice' | 'interval'>>,
): Figure {
  const { metric, slice = ALL, interval = null, count } = of
  const value = of.value !== null && Number.isFinite(of.value) ? of.value : null
  return { ...kind, metric, slice, value, interval: value === null ? null : interval, count }
}
