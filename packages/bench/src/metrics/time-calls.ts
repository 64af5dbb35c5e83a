import { quantileSorted } from 'simple-statistics'
import type { Figure } from '../log/figure.ts'
import { plainFigures } from '../results/plain-figures.ts'

/** The duration of each call in milliseconds. */
export type CallTimes = readonly number[]

/** Times calls one after the other, after some unmeasured calls. `call` receives the number of earlier calls. */
export async function timeCalls(
  call: (index: number) => Promise<unknown>,
  { calls, unmeasured }: { readonly calls: number; readonly unmeasured: number },
): Promise<CallTimes> {
  const times: number[] = []
  for (let index = 0; index < unmeasured + calls; index += 1) {
    const start = performance.now()
    await call(index)
    if (index >= unmeasured) times.push(performance.now() - start)
  }
  return times
}

/** Measures the mean processor time of a call in milliseconds. It includes other work of the process, but depends less on load than a duration. */
export async function meanProcessorTime(
  call: (index: number) => Promise<unknown>,
  { calls }: { readonly calls: number },
): Promise<number> {
  const before = process.cpuUsage()
  for (let index = 0; index < calls; index += 1) await call(index)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / calls
}

/** Computes percentiles of call times by metric, such as `add_p50_ms` for calls named `add`. */
export function quantilesNamed(name: string, times: CallTimes): Record<string, number> {
  const sorted = times.toSorted((a, b) => a - b)
  const quantile = (p: number): number => round(sorted.length === 0 ? Number.NaN : quantileSorted(sorted, p))
  const prefix = name === '' ? '' : `${name}_`
  return {
    [`${prefix}p50_ms`]: quantile(0.5),
    [`${prefix}p95_ms`]: quantile(0.95),
    [`${prefix}p99_ms`]: quantile(0.99),
  }
}

export function timeFigures(slice: string, name: string, times: CallTimes): Figure[] {
  return plainFigures('speed', slice, quantilesNamed(name, times), times.length)
}

/** Rounds to four digits. Further digits would be noise. */
export function round(value: number): number {
  return Number(value.toPrecision(4))
}
