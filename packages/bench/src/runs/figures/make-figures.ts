import { ALL, type Figure } from '../../log/figure.ts'
import type { EntryOf, LogEntry } from '../../log/log-entry.ts'
import { measureSums, type SumMetric } from '../../metrics/sum-metric.ts'

/** The judge and reader of a log, and the seed of resampling. */
export interface FigureContext {
  /** The judge of the log. Judged figures name it. `null`: nothing was judged. */
  readonly judge: string | null
  /** The reader that answered the questions. `null`: systems answered themselves, at an unknown cost of tokens. */
  readonly reader: string | null
  readonly seed: number
}

export type FigureKind = Pick<Figure, 'task' | 'unit' | 'judge'>

/** A named part of a log's entries, or all of them. */
export interface Slice<T> {
  readonly name: string
  readonly entries: readonly T[]
}

/** Filters the entries of one kind. */
export function entriesOf<K extends LogEntry['entry']>(entries: readonly LogEntry[], kind: K): EntryOf<K>[] {
  return entries.filter((entry): entry is EntryOf<K> => entry.entry === kind)
}

/** Returns the slice of all entries. Empty if there are no entries. */
export function wholeOf<T>(entries: readonly T[]): Slice<T>[] {
  return entries.length === 0 ? [] : [{ name: ALL, entries }]
}

/** Returns the slice of all entries, then one slice per key, sorted by name. Entries without a key are only in the first. */
export function sliceBy<T>(
  entries: readonly T[],
  kind: string,
  keyOf: (entry: T) => string | null,
): Slice<T>[] {
  const parts = [...Map.groupBy(entries, keyOf)]
    .flatMap(([key, group]) => (key === null ? [] : [{ name: `${kind}:${key}`, entries: group }]))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return [...wholeOf(entries), ...parts]
}

/** Computes each metric on each slice, with its interval over people. If the metric covers no entry of a part, the part has no figure. */
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

/** Makes one figure. A value of NaN becomes `null`, which means unknown. Default: all items, no interval. */
export function figure(
  kind: FigureKind,
  fields: Pick<Figure, 'metric' | 'value' | 'count'> & Partial<Pick<Figure, 'slice' | 'interval'>>,
): Figure {
  const { metric, slice = ALL, interval = null, count } = fields
  const value = fields.value !== null && Number.isFinite(fields.value) ? fields.value : null
  return { ...kind, metric, slice, value, interval: value === null ? null : interval, count }
}
