import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LanguageModel } from 'keepsake'
import type { z } from 'zod'
import type { LogEntry } from '../../log/log-entry.ts'
import type { BenchContext, Benchmark } from '../benchmark.ts'
import { runBenchmark, type FinishedRun } from '../run-benchmark.ts'

const nobody = (): Promise<never> => Promise.reject(new Error('nobody is to be asked'))

/** For a benchmark that asks no model and no service. */
export const ALONE: Omit<BenchContext, 'runs'> = {
  openModel: nobody,
  openEmbedding: nobody,
  openTokens: nobody,
  openReranking: nobody,
  openHttpSystem: nobody,
}

interface RunAlone extends FinishedRun {
  readonly log: readonly LogEntry[]
  /** What was told of the way. */
  readonly steps: readonly string[]
}

/** Runs a benchmark that makes one run, in a folder of its own, with no one to ask but the model that is given. */
export async function runAlone<Shape extends z.ZodRawShape>(
  benchmark: Benchmark<Shape>,
  options: z.input<z.ZodObject<Shape>>,
  model?: LanguageModel,
): Promise<RunAlone> {
  const steps: string[] = []
  const context: BenchContext = {
    ...ALONE,
    runs: mkdtempSync(join(tmpdir(), 'bench-runs-')),
    say: (step) => steps.push(step),
    ...(model === undefined ? {} : { openModel: () => Promise.resolve(model) }),
  }
  const [run] = await runBenchmark(benchmark, options, context)
  if (run === undefined) throw new Error('There was no run.')
  return { ...run, log: readLog(run.folder), steps }
}

/** A run's log as it stands on the disk. */
export function readLog(folder: string): LogEntry[] {
  const lines = readFileSync(join(folder, 'log.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line): LogEntry => JSON.parse(line))
}
