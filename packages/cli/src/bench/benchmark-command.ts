import { writeFileSync } from 'node:fs'
import type { Benchmark } from '@keepsake/bench'
import { CliError, wrongUsage } from '../cli-error.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import type { Bench } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { printJson } from '../output/print.ts'
import { progressFor, stepsFor } from '../output/progress.ts'
import { declareMeasuring } from './declare-measuring.ts'
import { openers } from './open-models.ts'
import { showRuns } from './show-runs.ts'

interface Options extends Readonly<Record<string, unknown>> {
  readonly runs: string
  readonly json?: boolean | string
  readonly debug?: boolean
}

/** `keepsake bench NAME`: its options and its help are those that the benchmark declares. */
export function benchmarkCommand(bench: Bench, benchmark: Benchmark): MakeCommand {
  const forms = bench.describeOptions(benchmark.options)
  return defineCommand({
    name: benchmark.name,
    description: benchmark.about,
    takes: [],
    declare: (command) => declareMeasuring(bench, command, forms),
    details: forms.some(({ flags }) => flags.endsWith('<spec>')) ? MODEL_FORMS_HELP : '',
    examples: benchmark.examples.map((example) => `keepsake bench ${example}`),
    run: ({ io, options }) => measure(io, bench, benchmark, options),
  })
}

async function measure(io: Io, bench: Bench, benchmark: Benchmark, options: Options): Promise<void> {
  const { runs, json, debug: _debug, ...given } = options
  const progress = progressFor(io, json === true)
  const { say } = stepsFor(io, json === true)
  const context = { ...openers(io), runs, say, onProgress: progress.track }
  const finished = await bench
    .runBenchmark(benchmark, given, context)
    .catch((error: unknown) => {
      throw error instanceof bench.OptionError ? wrongUsage(error.message) : error
    })
    .finally(progress.stop)
  const summaries = finished.flatMap((run) => run.summaries)
  const figures = summaries.length === 1 ? summaries[0] : summaries
  if (json === true) printJson(io, figures)
  else showRuns(io, bench, finished)
  if (typeof json === 'string') writeFileSync(json, `${JSON.stringify(figures, null, 2)}\n`)
  for (const { fault } of finished) if (fault !== null) throw new CliError(fault, EXIT.failure)
}
