import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import type { Machine } from '../results/run-summary.ts'

/** What runs the benchmark, and how busy it is before anything is measured. */
export function describeMachine(): Machine {
  const { node, v8 } = process.versions
  const { platform, arch } = process
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const processors = availableParallelism()
  return { node, v8, platform, arch, processors, keepsake: version, load: [loadOfMachine(), null] }
}

/** Load average over a minute. */
export function loadOfMachine(): number {
  return Number((loadavg()[0] ?? 0).toPrecision(4))
}
