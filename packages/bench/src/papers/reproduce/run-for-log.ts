import type { z } from 'zod'
import type { BenchContext, Benchmark } from '../../benchmark/benchmark.ts'
import { commandOf } from '../../benchmark/options.ts'
import { runMeasurement } from '../../benchmark/run-benchmark.ts'
import { readRunLog } from '../../benchmark/run-folder.ts'
import type { LogEntry } from '../../log/log-entry.ts'
import type { RunSummary } from '../../results/run-summary.ts'

/** A benchmark run with its log, for tables with their own counting. */
export interface LoggedRun {
  readonly summaries: readonly RunSummary[]
  readonly log: readonly LogEntry[]
}

/** Runs a benchmark as `keepsake bench NAME` does, and reads its log. */
export async function runForLog<Shape extends z.ZodRawShape>(
  benchmark: Benchmark<Shape>,
  given: z.input<z.ZodObject<Shape>>,
  context: BenchContext,
): Promise<LoggedRun[]> {
  const runs: LoggedRun[] = []
  const { name } = benchmark
  for await (const measurement of benchmark.open(benchmark.options.parse(given), context)) {
    const command = commandOf(name, { ...given, ...measurement.asked })
    const { folder, summaries } = await runMeasurement(measurement, { benchmark: name, command, context })
    runs.push({ summaries, log: readRunLog(folder) })
  }
  return runs
}
