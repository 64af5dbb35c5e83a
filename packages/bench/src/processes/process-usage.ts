import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface ProcessUsage {
  readonly residentBytes: number
  /** Processor time of all threads since the start of the process. */
  readonly cpuMs: number
}

/** Measures memory and processor time of this process. `collect` collects garbage first. */
export function processUsage({ collect = false } = {}): ProcessUsage {
  if (collect) collectGarbage()
  const { user, system } = process.cpuUsage()
  return { residentBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000 }
}

/** Collects garbage, so that resident memory is memory in use. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
