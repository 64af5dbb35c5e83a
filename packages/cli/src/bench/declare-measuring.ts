import { InvalidArgumentError, Option, type Command } from '@commander-js/extra-typings'
import type { OptionForm } from '@keepsake/bench'
import type { Bench } from '../load-package.ts'

/** The options of a measurement as the harness declares them, where its runs are kept, and how its figures are printed. */
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
