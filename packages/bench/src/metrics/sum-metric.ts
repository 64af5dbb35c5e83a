import { bootstrapSums, sumByCluster, totalOf } from './cluster-sums.ts'
import type { BootstrapOptions, Interval } from './bootstrap-interval.ts'

/**
 * A metric that depends on sums over a log's entries alone, such as means, ratios and F1. One definition gives value and interval, and
 * resampling people is cheap.
 */
export interface SumMetric<T> {
  readonly name: string
  /** An entry's summands; `null`: not covered. Always of one length. */
  readonly add: (entry: T) => readonly number[] | null
  /** NaN where it is unknown. */
  readonly of: (sums: readonly number[]) => number
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
  return { name, add: part, of: ([of = 0, over = 0]) => of / over }
}

export function meanMetric<T>(name: string, valueOf: (entry: T) => number | null): SumMetric<T> {
  return ratioMetric(name, (entry) => {
    const value = valueOf(entry)
    return value === null ? null : [value, 1]
  })
}

export function shareMetric<T>(name: string, holds: (entry: T) => boolean | null): SumMetric<T> {
  return meanMetric(name, (entry) => {
    const held = holds(entry)
    return held === null ? null : Number(held)
  })
}

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
