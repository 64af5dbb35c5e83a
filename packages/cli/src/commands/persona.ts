import { Command } from 'commander'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { formatPersona } from '../output/format-persona.ts'
import { print, printJson } from '../output/print.ts'
import { styleFor } from '../output/style.ts'

export function personaCommand(io: Io): Command {
  const command = new Command('persona')
    .summary('what is known of each person, by key')
    .description('What is known of each person, by key; what was so before, with its dates.')
    .addHelpText('after', examples('keepsake persona --user maya', 'keepsake persona --user maya --json'))
  return withScope(command, io).action(async (options: ScopeOptions) => {
    const { sheet, user } = await withExistingScope(options, async (scope) => ({
      sheet: await scope.persona(),
      user: scope.key.user,
    }))
    if (options.json === true) printJson(io, sheet)
    else print(io, formatPersona(sheet, user, styleFor(io)))
  })
}
