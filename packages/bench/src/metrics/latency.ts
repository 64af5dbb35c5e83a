import { quantileSorted } from 'simple-statistics'

export const LATENCY_QUANTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const
export type LatencyQuantile = keyof typeof LATENCY_QUANTILES

/** Percentiles of how long calls took; `null` without any. */
export function latencyOf(milliseconds: readonly number[]): Readonly<Record<LatencyQuantile, number>> | null {
  if (milliseconds.length === 0) return null
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (quantile: LatencyQuantile): number => quantileSorted(sorted, LATENCY_QUANTILES[quantile])
  return { p50: at('p50'), p95: at('p95'), p99: at('p99') }
}
