import { quantileSorted } from 'simple-statistics'
import { seededRandom } from './seeded-random.ts'

export interface Interval {
  readonly low: number
  readonly high: number
}

export interface BootstrapOptions {
  readonly seed: number
  readonly resamples?: number
  /** 0.95 gives the 2.5th and 97.5th percentiles. */
  readonly level?: number
}

/**
 * A percentile interval by resampling whole clusters (conversations, people) with replacement: questions of one
 * conversation are not independent, so drawing them one by one would claim too much.
 *
 * @param clusters what was measured, grouped
 * @param statistic of the pooled items of a resample; a resample for which it is not finite is left out
 */
export function bootstrapInterval<T>(
  clusters: readonly (readonly T[])[],
  statistic: (pooled: readonly T[]) => number,
  options: BootstrapOptions,
): Interval {
  const random = seededRandom(options.seed)
  const values: number[] = []
  for (let i = 0; i < (options.resamples ?? 1_000); i++) {
    const pooled: T[] = []
    for (let c = 0; c < clusters.length; c++) {
      pooled.push(...(clusters[Math.floor(random() * clusters.length)] ?? []))
    }
    const value = statistic(pooled)
    if (Number.isFinite(value)) values.push(value)
  }
  return percentileInterval(values, options.level)
}

/** The middle share of resampled values, which it sorts; NaN without any. */
export function percentileInterval(values: number[], level = 0.95): Interval {
  if (values.length === 0) return { low: Number.NaN, high: Number.NaN }
  values.sort((a, b) => a - b)
  const tail = (1 - level) / 2
  return { low: quantileSorted(values, tail), high: quantileSorted(values, 1 - tail) }
}
