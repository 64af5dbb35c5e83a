import { bootstrapSums, sumByCluster, totalOf } from './cluster-sums.ts'
import type { BootstrapOptions, Interval } from './bootstrap-interval.ts'

/** A metric of sums over log entries. One definition gives the value and its interval, which resamples sums by person. */
export interface SumMetric<T> {
  readonly name: string
  /** What an entry adds to each sum; `null`: the metric does not cover it. Always of one length. */
  readonly add: (entry: T) => readonly number[] | null
  /** The metric from the sums; NaN where it is unknown. */
  readonly combine: (sums: readonly number[]) => number
}

export interface Measured {
  /** `null`: no entry is covered. */
  readonly value: number | null
  /** 95 %, over people; `null` for one person, who cannot represent others. */
  readonly interval: Interval | null
  readonly count: number
}

/** Σ parts / Σ wholes. */
export function ratioMetric<T>(
  name: string,
  part: (entry: T) => readonly [part: number, whole: number] | null,
): SumMetric<T> {
  return { name, add: part, combine: ([parts = 0, wholes = 0]) => parts / wholes }
}

export function meanMetric<T>(name: string, valueOf: (entry: T) => number | null): SumMetric<T> {
  return ratioMetric(name, (entry) => {
    const value = valueOf(entry)
    return value === null ? null : [value, 1]
  })
}

export function shareMetric<T>(name: string, holds: (entry: T) => boolean | null): SumMetric<T> {
  return meanMetric(name, (entry) => {
    const isTrue = holds(entry)
    return isTrue === null ? null : Number(isTrue)
  })
}

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
