import { Command } from 'commander'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { formatStory } from '../output/format-story.ts'
import { print, printJson } from '../output/print.ts'
import { styleFor } from '../output/style.ts'

export function storyCommand(io: Io): Command {
  const command = new Command('story')
    .summary('the story so far, level by level')
    .description("The story so far: the plot's summaries, the widest first, then each session's.")
    .addHelpText('after', examples('keepsake story --user maya', 'keepsake story --user maya --json'))
  return withScope(command, io).action(async (options: ScopeOptions) => {
    const levels = await withExistingScope(options, (scope) => scope.story())
    if (options.json === true) printJson(io, { levels })
    else print(io, formatStory(levels, styleFor(io)))
  })
}
