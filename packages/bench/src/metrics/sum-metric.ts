import { bootstrapSums, sumByCluster, totalOf } from './cluster-sums.ts'
import type { BootstrapOptions, Interval } from './bootstrap-interval.ts'

/**
 * A metric that depends on sums over a log's entries alone, as means, ratios and F1 do. Its value and its interval
 * come from the same definition, and resampling people costs next to nothing.
 */
export interface SumMetric<T> {
  readonly name: string
  /** What an entry adds to each of the sums; `null`: the metric does not cover it. Always of one length. */
  readonly add: (entry: T) => readonly number[] | null
  /** NaN where it is not known. */
  readonly of: (sums: readonly number[]) => number
}

export interface Measured {
  /** `null`: no entry is covered. */
  readonly value: number | null
  /** 95 %, over people; `null` for one person, who tells nothing about others. */
  readonly interval: Interval | null
  /** How many entries it is over. */
  readonly count: number
}

/** Σ parts / Σ wholes. */
export function ratioMetric<T>(
  name: string,
  part: (entry: T) => readonly [part: number, whole: number] | null,
): SumMetric<T> {
  return { name, add: part, of: ([of = 0, over = 0]) => of / over }
}

/** A mean over the entries that have a value. */
export function meanMetric<T>(name: string, valueOf: (entry: T) => number | null): SumMetric<T> {
  return ratioMetric(name, (entry) => {
    const value = valueOf(entry)
    return value === null ? null : [value, 1]
  })
}

/** A share of the entries of which it can be said. */
export function shareMetric<T>(name: string, holds: (entry: T) => boolean | null): SumMetric<T> {
  return meanMetric(name, (entry) => {
    const held = holds(entry)
    return held === null ? null : Number(held)
  })
}

/** Value, interval and count of a metric over entries, resampled by `person`. */
export function measureSums<T extends { readonly person: string }>(
  metric: SumMetric<T>,
  entries: readonly T[],
  options: BootstrapOptions,
): Measured {
  const counted = entries.flatMap((entry) => {
    const added = metric.add(entry)
    return added === null ? [] : [{ person: entry.person, added }]
  })
  const clusters = sumByCluster(
    counted,
    ({ person }) => person,
    ({ added }) => added,
  )
  const value = counted.length === 0 ? Number.NaN : metric.of(totalOf(clusters))
  if (!Number.isFinite(value)) return { value: null, interval: null, count: counted.length }
  const interval = clusters.length < 2 ? null : bootstrapSums(clusters, metric.of, options)
  return { value, interval, count: counted.length }
}
