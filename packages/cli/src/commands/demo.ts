import { Command } from 'commander'
import { debugOption, jsonOption } from '../common-options.ts'
import { runDemo } from '../demo/run-demo.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'

interface Options {
  readonly db?: string
  readonly keep: boolean
  readonly json?: boolean
}

export function demoCommand(io: Io): Command {
  return new Command('demo')
    .summary('see it work, in a few seconds')
    .description(
      'Remembers, recalls, changes and forgets two conversations that come with it, one English and one Chinese, and says how.',
    )
    .option('--db <file>', 'a new file for it (default: one in a temporary folder)')
    .option('--no-keep', 'remove the database at the end')
    .addOption(jsonOption())
    .addOption(debugOption())
    .addHelpText(
      'after',
      examples('keepsake demo', 'keepsake demo --db demo.db', 'keepsake demo --no-keep --json'),
    )
    .action(({ db, keep, json }: Options) =>
      runDemo(io, { keep, json: json === true, ...(db === undefined ? {} : { db }) }),
    )
}
