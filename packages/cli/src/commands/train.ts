import { Command } from 'commander'
import type { MakeCommand } from '../define-command.ts'
import { annotateCommand } from '../train/annotate-command.ts'
import { consentCommand } from '../train/consent-command.ts'
import { exportCommand } from '../train/export-command.ts'
import { fitImportanceCommand } from '../train/fit-importance-command.ts'

/** The subcommands, in the order of `--help`. */
const COMMANDS: readonly MakeCommand[] = [
  consentCommand,
  exportCommand,
  annotateCommand,
  fitImportanceCommand,
]

export const trainCommand: MakeCommand = (io) => {
  const group = new Command('train')
    .summary('train models on stored memories')
    .description(
      'Trains models on stored memories and on users’ corrections. docs/training.md describes the cost, the gain and the evaluation of each.',
    )
  for (const make of COMMANDS) group.addCommand(make(io))
  return group
}
