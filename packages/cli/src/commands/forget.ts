import { Command } from 'commander'
import type { ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { changingCommand } from './change-memory.ts'

export function forgetCommand(io: Io): Command {
  const command = new Command('forget')
    .summary('drop one memory (can be undone)')
    .description(
      'Drops one memory, and the utterances it rests on, from all recall. Can be undone; "erase" removes for good, "forgetting" runs the policy.',
    )
    .addHelpText('after', examples('keepsake forget 4f1c09ab --user maya'))
  return changingCommand<ScopeOptions>(command, io, 'Dropped', (scope, memory) => scope.remove(memory.id))
}
