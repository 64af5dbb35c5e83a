import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What a process holds and has used. */
export interface ProcessUsage {
  readonly residentBytes: number
  /** Of JavaScript, after garbage was collected where that was asked for. */
  readonly heapBytes: number
  /** Processor time since it started, of all its threads. */
  readonly cpuMs: number
}

export function processUsage({ collect = false } = {}): ProcessUsage {
  if (collect) collectGarbage()
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { residentBytes: rss, heapBytes: heapUsed, cpuMs: (user + system) / 1_000 }
}

/** Collects garbage now, so that what is resident is what is held. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
