import type { z } from 'zod'
import type { BenchContext, Benchmark } from '../../benchmark/benchmark.ts'
import { commandOf } from '../../benchmark/options.ts'
import { runMeasurement } from '../../benchmark/run-benchmark.ts'
import { readLog } from '../../benchmark/run-folder.ts'
import type { LogEntry } from '../../log/log-entry.ts'
import type { RunSummary } from '../../results/run-summary.ts'

/** A run of a benchmark with its log, for tables that count the log in their own way. */
export interface LoggedRun {
  readonly summaries: readonly RunSummary[]
  readonly log: readonly LogEntry[]
}

/** Runs a benchmark as `keepsake bench NAME` does, and reads its log. */
export async function runForLog<Shape extends z.ZodRawShape>(
  benchmark: Benchmark<Shape>,
  options: z.input<z.ZodObject<Shape>>,
  context: BenchContext,
): Promise<LoggedRun[]> {
  const runs: LoggedRun[] = []
  const { name } = benchmark
  for await (const measurement of benchmark.open(benchmark.options.parse(options), context)) {
    const command = commandOf(name, { ...options, ...measurement.repeatOptions })
    const { folder, summaries } = await runMeasurement(measurement, { benchmark: name, command, context })
    runs.push({ summaries, log: readLog(folder).entries })
  }
  return runs
}
