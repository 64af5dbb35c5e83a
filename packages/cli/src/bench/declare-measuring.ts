import { writeFileSync } from 'node:fs'
import { InvalidArgumentError, Option, type Command } from '@commander-js/extra-typings'
import type { BenchContext, OptionForm } from '@keepsake/bench'
import type { Io } from '../io.ts'
import { print, printJson } from '../output/print.ts'
import { loadHttpPeers, loadModels, type Bench } from '../load-package.ts'

/** Declares the options of a measurement: its own, the folder of its runs, and the form of its figures. */
export function declareMeasuring(bench: Bench, command: Command, forms: readonly OptionForm[]) {
  for (const form of forms) {
    command.addOption(optionOf(bench, form))
    if (form.without !== null) command.option(form.without, 'skip that')
  }
  return command
    .option('--runs <folder>', 'folder for runs; a stopped run continues there', './bench-runs')
    .option('--json [file]', 'write the figures as JSON to a file, or print only them')
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

/** Returns functions with which the harness opens models and other systems. */
export function openers({ env }: Io): Omit<BenchContext, 'runs'> {
  return {
    openModel: async (spec) => (await loadModels()).openModel(spec, { env }),
    openEmbedding: async (spec) => (await loadModels()).openEmbeddingModel(spec, { env }),
    openTokens: async (spec) => (await loadModels()).openTokenEmbeddingModel(spec),
    openReranking: async (spec) => (await loadModels()).openRerankingModel(spec, { env }),
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

/** Prints figures as JSON or text, and writes them to the file that `--json FILE` names. */
export function showFigures(
  io: Io,
  json: boolean | string | undefined,
  data: unknown,
  formatText: () => string,
): void {
  if (json === true) printJson(io, data)
  else print(io, formatText())
  if (typeof json === 'string') writeFileSync(json, `${JSON.stringify(data, null, 2)}\n`)
}
