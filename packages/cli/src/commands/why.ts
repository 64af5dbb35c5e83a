import { Command } from 'commander'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import { findMemory } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { formatExplanation } from '../output/format-explanation.ts'
import { print, printJson } from '../output/print.ts'
import { styleFor } from '../output/style.ts'

export function whyCommand(io: Io): Command {
  const command = new Command('why')
    .summary('why a memory is kept or was let go')
    .description(
      'Why a memory is kept or was let go: what it rests on, how strong it is, and everything that happened to it.',
    )
    .argument('<memory>', 'its id, or the end of it as lists show it')
    .addHelpText(
      'after',
      examples('keepsake why 4f1c09ab --user maya', 'keepsake why 4f1c09ab --user maya --json'),
    )
  return withScope(command, io).action(async (given: string, options: ScopeOptions) => {
    const explanation = await withExistingScope(options, async (scope) =>
      scope.explain((await findMemory(scope, given)).id),
    )
    if (options.json === true) printJson(io, explanation)
    else print(io, formatExplanation(explanation, styleFor(io)))
  })
}
