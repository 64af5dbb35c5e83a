import { Command } from 'commander'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { print, printJson } from '../output/print.ts'
import { styleFor } from '../output/style.ts'

export function undoCommand(io: Io): Command {
  const command = new Command('undo')
    .summary('take an operation back')
    .description('Takes an operation back, with all that followed from it. An undo can be undone.')
    .argument('<operation>', 'its id, as "keepsake why" and every change print it')
    .addHelpText('after', examples('keepsake undo 0198c1d2-7c3e-7b41-9d20-3f6a5b1c2d4e --user maya'))
  return withScope(command, io).action(async (id: string, options: ScopeOptions) => {
    const operation = await withExistingScope(options, (scope) => scope.undo(id))
    if (options.json === true) printJson(io, { operation })
    else
      print(io, `Undone (${operation.kind}).`, styleFor(io).dim(`Undo this: keepsake undo ${operation.id}`))
  })
}
