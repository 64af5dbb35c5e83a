import { quantile } from 'simple-statistics'

/** Percentiles of how long calls took; `null` without any. */
export function latencyOf(milliseconds: readonly number[]) {
  if (milliseconds.length === 0) return null
  const [p50 = 0, p95 = 0, p99 = 0] = quantile([...milliseconds], [0.5, 0.95, 0.99])
  return { p50, p95, p99 }
}
