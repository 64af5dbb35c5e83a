import type { Benchmark, FinishedRun } from '@keepsake/bench'
import { declareMeasuring, openers, showFigures } from './declare-measuring.ts'
import { CliError, wrongUsage } from '../cli-error.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import type { Bench } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { table } from '../output/print.ts'
import { progressFor, sayStep } from '../output/progress.ts'
import { styleFor } from '../output/style.ts'

/** Systems per table, so that a table fits a terminal. */
const SYSTEMS_PER_TABLE = 6

interface Options extends Readonly<Record<string, unknown>> {
  readonly runs: string
  readonly json?: boolean | string
  readonly debug?: boolean
}

/** Makes `keepsake bench NAME`, with the options and help that the benchmark declares. */
export function benchmarkCommand(bench: Bench, benchmark: Benchmark): MakeCommand {
  const forms = bench.describeOptions(benchmark.options)
  return defineCommand({
    name: benchmark.name,
    description: benchmark.about,
    sharedOptions: [],
    declare: (command) => declareMeasuring(bench, command, forms),
    details: forms.some(({ flags }) => flags.endsWith('<spec>')) ? MODEL_FORMS_HELP : '',
    examples: benchmark.examples.map((example) => `keepsake bench ${example}`),
    run: ({ io, options }) => measure(io, bench, benchmark, options),
  })
}

async function measure(io: Io, bench: Bench, benchmark: Benchmark, options: Options): Promise<void> {
  const { runs, json, debug: _debug, ...benchmarkOptions } = options
  const progress = progressFor(io, json === true)
  const context = {
    ...openers(io),
    runs,
    say: (step: string) => sayStep(io, json === true, step),
    onProgress: progress.track,
  }
  const finished = await bench
    .runBenchmark(benchmark, benchmarkOptions, context)
    .catch((error: unknown) => {
      throw error instanceof bench.OptionError ? wrongUsage(error.message) : error
    })
    .finally(progress.stop)
  const summaries = finished.flatMap((run) => run.summaries)
  const figures = summaries.length === 1 ? summaries[0] : summaries
  showFigures(io, json, figures, () => formatRuns(io, bench, finished))
  for (const { fault } of finished) if (fault !== null) throw new CliError(fault, EXIT.failure)
}

/** Formats the main figures of the runs, and the command for the full report. */
function formatRuns(io: Io, bench: Bench, runs: readonly FinishedRun[]): string {
  const style = styleFor(io)
  const summaries = runs.flatMap((run) => run.summaries)
  const [first] = summaries
  if (first === undefined) return ''
  const { dataset, conversations } = first
  const tableCount = Math.ceil(summaries.length / SYSTEMS_PER_TABLE)
  const tables = Array.from({ length: tableCount }, (_, part) => {
    const shown = summaries.slice(part * SYSTEMS_PER_TABLE, (part + 1) * SYSTEMS_PER_TABLE)
    const [head = [], ...rows] = bench.headlineTable(shown)
    return table(
      head,
      rows,
      shown.map((_, index) => index + 1),
    )
  })
  const failuresBySystem = new Map(
    summaries.flatMap(({ system, failures }) => (failures === 0 ? [] : [[system, failures]])),
  )
  return [
    style.bold(conversations === null ? dataset : `${dataset}, ${conversations} conversations`),
    ...tables,
    ...[...failuresBySystem].map(
      ([system, failures]) => `${system}: ${failures} failures, which count as wrong.`,
    ),
    ...new Set(summaries.flatMap(({ remarks }) => remarks)),
    style.dim('95 % intervals, parts and wrong answers:'),
    `  keepsake bench report ${runs.map(({ folder }) => folder).join(' ')} --out report`,
  ].join('\n')
}
