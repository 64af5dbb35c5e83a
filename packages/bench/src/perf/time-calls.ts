import { quantileSorted } from 'simple-statistics'

/** Milliseconds a call. */
export interface CallTimes {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly calls: number
}

export interface TimeCallsOptions {
  /** Calls that count. */
  readonly calls: number
  /** Calls before them that do not. */
  readonly unmeasured: number
}

/** Times calls one after the other. `call` is told how many came before it. */
export async function timeCalls(
  call: (index: number) => Promise<unknown>,
  options: TimeCallsOptions,
): Promise<CallTimes> {
  const { calls, unmeasured } = options
  const times: number[] = []
  for (let index = 0; index < unmeasured + calls; index += 1) {
    const start = performance.now()
    await call(index)
    if (index >= unmeasured) times.push(performance.now() - start)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const quantile = (p: number) => round(quantileSorted(sorted, p))
  return { p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99), calls }
}

/** Four digits: more is noise. */
export function round(value: number): number {
  return Number(value.toPrecision(4))
}
