import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LanguageModel } from 'keepsake'
import type { z } from 'zod'
import type { LogEntry } from '../../log/log-entry.ts'
import type { BenchContext, Benchmark } from '../benchmark.ts'
import { runBenchmark, type FinishedRun } from '../run-benchmark.ts'

const refuse = (): Promise<never> => Promise.reject(new Error('nobody is to be asked'))

/** The context of a benchmark that uses no model and no service. */
export const ALONE: Omit<BenchContext, 'runs'> = {
  openModel: refuse,
  openEmbedding: refuse,
  openTokens: refuse,
  openReranking: refuse,
  openHttpSystem: refuse,
}

interface RunAlone extends FinishedRun {
  readonly log: readonly LogEntry[]
  /** The reported steps. */
  readonly steps: readonly string[]
}

/** Runs a benchmark that makes one run, in a new folder, with no service and no model except `model`. */
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

/** Reads the log in a run's folder. */
export function readLog(folder: string): LogEntry[] {
  const lines = readFileSync(join(folder, 'log.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line): LogEntry => JSON.parse(line))
}
