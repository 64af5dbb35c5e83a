import { Command } from 'commander'
import { wrongUsage } from '../cli-error.ts'
import type { ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { changingCommand } from './change-memory.ts'

interface Options extends ScopeOptions {
  readonly text?: string
  readonly value?: string
}

export function editCommand(io: Io): Command {
  const command = new Command('edit')
    .summary('correct a memory')
    .description('Corrects a memory. What it said before stays in its history.')
    .option('--text <text>', 'what it should say')
    .option('--value <value>', 'the value on the persona sheet, for facts that have one')
    .addHelpText(
      'after',
      examples('keepsake edit 4f1c09ab --text "Maya lives in Porto." --value Porto --user maya'),
    )
  return changingCommand<Options>(command, io, 'Corrected', (scope, memory, { text, value }) => {
    if (text === undefined && value === undefined)
      throw wrongUsage('Say what to correct: --text, --value or both.')
    return scope.edit(memory.id, {
      ...(text === undefined ? {} : { text }),
      ...(value === undefined ? {} : { value }),
    })
  })
}
