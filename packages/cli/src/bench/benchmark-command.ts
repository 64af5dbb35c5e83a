import { writeFileSync } from 'node:fs'
import type { BenchContext, Benchmark, OptionForm } from '@keepsake/bench'
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { CliError, wrongUsage } from '../cli-error.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { loadHttpPeers, loadModels, type Bench } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { printJson } from '../output/print.ts'
import { progressFor, stepsFor } from '../output/progress.ts'
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
    declare(command) {
      for (const form of forms) {
        command.addOption(optionOf(bench, form))
        if (form.without !== null) command.option(form.without, 'leave that out')
      }
      return command
        .option('--runs <folder>', 'where runs are kept; one that was stopped goes on there', './bench-runs')
        .option('--json [file]', 'write the figures as JSON to a file, or print them and nothing else')
    },
    details: forms.some(({ flags }) => flags.endsWith('<spec>')) ? MODEL_FORMS_HELP : '',
    examples: benchmark.examples.map((example) => `keepsake bench ${example}`),
    run: ({ io, options }) => measure(io, bench, benchmark, options),
  })
}

function optionOf(bench: Bench, { flags, description, isRequired, read }: OptionForm): Option {
  const option = new Option(flags, description).makeOptionMandatory(isRequired)
  if (option.isBoolean()) return option
  return option.argParser((text) => {
    try {
      return read(text)
    } catch (error) {
      throw error instanceof bench.OptionError ? new InvalidArgumentError(error.message) : error
    }
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

/** Models and services, of packages that are loaded when one is named. */
function openers({
  env,
}: Io): Pick<BenchContext, 'openModel' | 'openEmbedding' | 'openTokens' | 'openHttpSystem'> {
  return {
    openModel: async (spec) => (await loadModels()).openModel(spec, { env }),
    openEmbedding: async (spec) => (await loadModels()).openEmbeddingModel(spec, { env }),
    openTokens: async (spec) => (await loadModels()).openTokenEmbeddingModel(spec),
    async openHttpSystem(name, { url: baseUrl, modelTimeoutMs }) {
      const { HTTP_SYSTEMS, httpSystem } = await loadHttpPeers()
      const apiKey = env[HTTP_SYSTEMS[name].keyVariable]
      return httpSystem(name, {
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(baseUrl === undefined ? {} : { baseUrl }),
        modelTimeoutMs,
      })
    },
  }
}
