import { bootstrapSums, sumByCluster, totalOf } from './cluster-sums.ts'
import type { BootstrapOptions, Interval } from './bootstrap-interval.ts'

/** A metric that is computed from sums over log entries. The same sums give its interval, which resamples people. */
export interface SumMetric<T> {
  readonly name: string
  /** Returns what an entry adds to each sum. `null`: the metric does not cover the entry. All results have the same length. */
  readonly add: (entry: T) => readonly number[] | null
  /** Computes the metric from the sums. NaN: it is unknown. */
  readonly combine: (sums: readonly number[]) => number
}

/** The value of a metric with its interval. */
export interface Measured {
  /** `null`: no entry is covered. */
  readonly value: number | null
  /** The 95 % interval over people. `null`: there is only one person. */
  readonly interval: Interval | null
  readonly count: number
}

/** Makes a metric that divides the sum of parts by the sum of wholes. */
export function ratioMetric<T>(
  name: string,
  part: (entry: T) => readonly [part: number, whole: number] | null,
): SumMetric<T> {
  return { name, add: part, combine: ([parts = 0, wholes = 0]) => parts / wholes }
}

/** Makes a metric that is the mean of a value. */
export function meanMetric<T>(name: string, valueOf: (entry: T) => number | null): SumMetric<T> {
  return ratioMetric(name, (entry) => {
    const value = valueOf(entry)
    return value === null ? null : [value, 1]
  })
}

/** Makes a metric that is the share of entries for which a condition holds. */
export function shareMetric<T>(name: string, holds: (entry: T) => boolean | null): SumMetric<T> {
  return meanMetric(name, (entry) => {
    const isTrue = holds(entry)
    return isTrue === null ? null : Number(isTrue)
  })
}

/** Computes a metric of log entries with its interval. */
export function measureSums<T extends { readonly person: string }>(
  metric: SumMetric<T>,
  entries: readonly T[],
  options: BootstrapOptions,
): Measured {
  const covered = entries.flatMap((entry) => {
    const summands = metric.add(entry)
    return summands === null ? [] : [{ person: entry.person, summands }]
  })
  const clusters = sumByCluster(
    covered,
    ({ person }) => person,
    ({ summands }) => summands,
  )
  const value = covered.length === 0 ? Number.NaN : metric.combine(totalOf(clusters))
  if (!Number.isFinite(value)) return { value: null, interval: null, count: covered.length }
  const interval = clusters.length < 2 ? null : bootstrapSums(clusters, metric.combine, options)
  return { value, interval, count: covered.length }
}
