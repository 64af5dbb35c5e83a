import { Command } from 'commander'
import type { ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { changingCommand } from './change-memory.ts'

export function restoreCommand(io: Io): Command {
  const command = new Command('restore')
    .summary('bring a memory back')
    .description('Brings back a memory that was forgotten, dropped or not believed.')
    .addHelpText(
      'after',
      examples('keepsake list --user maya --status forgotten', 'keepsake restore 4f1c09ab --user maya'),
    )
  return changingCommand<ScopeOptions>(command, io, 'Brought back', (scope, memory) =>
    scope.restore(memory.id),
  )
}
