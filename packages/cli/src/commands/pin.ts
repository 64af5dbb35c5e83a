import { Command } from 'commander'
import type { ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { changingCommand } from './change-memory.ts'

interface Options extends ScopeOptions {
  readonly off?: boolean
}

export function pinCommand(io: Io): Command {
  const command = new Command('pin')
    .summary('keep a memory from being forgotten')
    .description('Keeps a memory from ever being let go by the forgetting policy.')
    .option('--off', 'let the policy judge it again')
    .addHelpText(
      'after',
      examples('keepsake pin 4f1c09ab --user maya', 'keepsake pin 4f1c09ab --off --user maya'),
    )
  const done = ({ off }: Options): string => (off === true ? 'Unpinned' : 'Pinned')
  return changingCommand<Options>(command, io, done, (scope, memory, { off }) =>
    scope.pin(memory.id, off !== true),
  )
}
