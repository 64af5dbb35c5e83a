import type { Benchmark } from './benchmark/benchmark.ts'
import { comedy } from './comedy/comedy.ts'
import { cost } from './cost/cost.ts'
import { forgetting } from './forgetting/forgetting.ts'
import { operations } from './operations/operations.ts'
import { peers } from './peers/peers.ts'
import { retrieval } from './retrieval/retrieval.ts'
import { run } from './runs/run.ts'
import { verdicts } from './runs/verdicts.ts'

/** All benchmarks that `keepsake bench` offers. */
export const BENCHMARKS: readonly Benchmark[] = [
  run,
  verdicts,
  retrieval,
  operations,
  comedy,
  forgetting,
  cost,
  peers,
]
