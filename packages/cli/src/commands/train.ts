import { Command } from 'commander'
import type { MakeCommand } from '../define-command.ts'
import { annotateCommand } from '../train/annotate-command.ts'
import { consentCommand } from '../train/consent-command.ts'
import { exportCommand } from '../train/export-command.ts'
import { fitImportanceCommand } from '../train/fit-importance-command.ts'

/** A command a file, in the order of `--help`. */
const COMMANDS: readonly MakeCommand[] = [
  consentCommand,
  exportCommand,
  annotateCommand,
  fitImportanceCommand,
]

/** `keepsake train`: learning from what a memory holds. */
export const trainCommand: MakeCommand = (io) => {
  const group = new Command('train')
    .summary('learn from what a memory holds')
    .description(
      'Learns from what a memory holds, and from what people corrected in it. docs/training.md says what each costs, what it gains, and how to judge it before using it.',
    )
  for (const make of COMMANDS) group.addCommand(make(io))
  return group
}
