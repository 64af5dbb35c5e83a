import { Command } from 'commander'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { formatPortrait } from '../output/format-portrait.ts'
import { print, printJson } from '../output/print.ts'
import { styleFor } from '../output/style.ts'

interface Options extends ScopeOptions {
  readonly versions?: boolean
}

export function portraitCommand(io: Io): Command {
  const command = new Command('portrait')
    .summary('the compressed whole of what is remembered')
    .description(
      'The compressed whole: who the person is, how they stand to the agent, what happened. Made as sessions end, by presets that have one.',
    )
    .option('--versions', 'all versions, oldest first (--json has them always)')
    .addHelpText(
      'after',
      examples('keepsake portrait --user maya', 'keepsake portrait --user maya --versions'),
    )
  return withScope(command, io).action(async (options: Options) => {
    const portrait = await withExistingScope(options, (scope) => scope.portrait())
    if (options.json === true) printJson(io, portrait)
    else print(io, formatPortrait(portrait, styleFor(io), { all: options.versions === true }))
  })
}
