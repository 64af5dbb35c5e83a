import { Command } from 'commander'
import type { StoryLevel } from 'keepsake'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { formatDay } from '../output/format-quantity.ts'
import { print, printJson } from '../output/print.ts'
import { wordsOf } from '../output/format-memory.ts'
import { styleFor, wrap, type Style } from '../output/style.ts'

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

function formatStory(levels: readonly StoryLevel[], style: Style): string {
  if (levels.length === 0) return style.dim('No story yet: it is told once a session has ended.')
  return levels.map((level) => formatLevel(level, style)).join('\n\n')
}

function formatLevel({ level, units }: StoryLevel, style: Style): string {
  const title = level === 0 ? 'Sessions' : `Level ${level}`
  const lines = units.map((unit) =>
    wrap(wordsOf(unit, style), style.width, `  ${style.dim(formatDay(unit.validFrom))}  `, ' '.repeat(14)),
  )
  return [style.bold(title), ...lines].join('\n')
}
