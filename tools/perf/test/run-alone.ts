import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runBenchmark, type Benchmark, type FinishedRun } from '@keepsake/bench'
import type { z } from 'zod'

const refuse = (): Promise<never> => Promise.reject(new Error('no model is asked'))

/** Runs a benchmark that makes one run and asks no model. */
export async function runAlone<Shape extends z.ZodRawShape>(
  benchmark: Benchmark<Shape>,
  options: z.input<z.ZodObject<Shape>>,
): Promise<FinishedRun> {
  const [run] = await runBenchmark(benchmark, options, {
    openModel: refuse,
    openEmbedding: refuse,
    openTokens: refuse,
    openReranking: refuse,
    openHttpSystem: refuse,
    runs: mkdtempSync(join(tmpdir(), 'perf-runs-')),
  })
  if (run === undefined) throw new Error('There was no run.')
  return run
}

export function valueOf({ summaries }: FinishedRun, system: string, metric: string, slice: string): number {
  const figures = summaries.find((one) => one.system === system)?.figures ?? []
  return figures.find((one) => one.metric === metric && one.slice === slice)?.value ?? Number.NaN
}
