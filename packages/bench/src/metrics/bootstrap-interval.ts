import { quantileSorted } from 'simple-statistics'
import { seededRandom } from './seeded-random.ts'

export interface Interval {
  readonly low: number
  readonly high: number
}

export interface BootstrapOptions {
  readonly seed: number
  readonly resamples?: number
  /** The level of the interval. 0.95 (default) gives the 2.5th and 97.5th percentiles. */
  readonly level?: number
}

/** Computes a percentile interval by resampling whole clusters of `valueOf`, because a conversation's questions depend on each other. */
export function resampleClusters(
  clusters: number,
  valueOf: (drawn: readonly number[]) => number,
  { seed, resamples = 1_000, level = 0.95 }: BootstrapOptions,
): Interval {
  const random = seededRandom(seed)
  const draw = () => Array.from({ length: clusters }, () => Math.floor(random() * clusters))
  const values = Array.from({ length: resamples }, () => valueOf(draw()))
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  if (sorted.length === 0) return { low: Number.NaN, high: Number.NaN }
  const tail = (1 - level) / 2
  return { low: quantileSorted(sorted, tail), high: quantileSorted(sorted, 1 - tail) }
}

/** Computes the interval of a statistic over items, which are grouped by cluster. */
export function bootstrapInterval<T>(
  clusters: readonly (readonly T[])[],
  statistic: (pooled: readonly T[]) => number,
  options: BootstrapOptions,
): Interval {
  const pool = (drawn: readonly number[]) => drawn.flatMap((place) => clusters[place] ?? [])
  return resampleClusters(clusters.length, (drawn) => statistic(pool(drawn)), options)
}
