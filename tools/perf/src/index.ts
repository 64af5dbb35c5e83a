/** Benchmarks that only this repository has. `keepsake bench` lists them if this workspace is present. */
import type { Benchmark } from '@keepsake/bench'
import { faults } from './faults/faults.ts'
import { server } from './load/server.ts'
import { perf } from './perf.ts'

export const BENCHMARKS: readonly Benchmark[] = [perf, server, faults]
