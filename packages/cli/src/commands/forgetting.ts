import { Command } from 'commander'
import type { ForgettingResult, Memory } from 'keepsake'
import { share, wholeNumber, withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import { shortId } from '../find-memory.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import { print, printJson } from '../output/print.ts'
import { printable, shorten, styleFor, wrap, type Style } from '../output/style.ts'

interface Options extends ScopeOptions {
  readonly dryRun?: boolean
  readonly keep?: number
  readonly capacity?: number
}

const SHOWN = 30

export function forgettingCommand(io: Io): Command {
  const command = new Command('forgetting')
    .summary('run the forgetting policy, or try it dry')
    .description('Runs the forgetting policy now. What it lets go leaves recall and can be restored.')
    .option('--dry-run', 'only tell what it would let go')
    .option('--keep <share>', 'keep this share of all, 0 to 1, instead of what the preset says', share)
    .option('--capacity <n>', 'keep at most so many memories instead', wholeNumber(0, 1_000_000_000))
    .addHelpText(
      'after',
      examples(
        'keepsake forgetting --dry-run --user maya',
        'keepsake forgetting --keep 0.5 --preset lufy --user maya',
      ),
    )
  return withScope(command, io).action(async (options: Options) => {
    const { dryRun, keep, capacity } = options
    const { result, texts } = await withExistingScope(options, async (scope) => {
      const memories = await scope.memories()
      const run = await scope.forgetting({
        dryRun: dryRun === true,
        ...(keep === undefined ? {} : { keep }),
        ...(capacity === undefined ? {} : { capacity: { memories: capacity } }),
      })
      return { result: run, texts: new Map(memories.map((memory) => [memory.id, memory])) }
    })
    if (options.json === true) printJson(io, result)
    else print(io, formatForgetting(result, texts, styleFor(io)))
  })
}

function formatForgetting(
  result: ForgettingResult,
  texts: ReadonlyMap<string, Memory>,
  style: Style,
): string {
  const { policy, considered, kept, forgotten, dryRun } = result
  const verb = dryRun ? 'would let go of' : 'let go of'
  const head = `${policy} judged ${formatCount(considered, 'memory', 'memories')}, ${dryRun ? 'would keep' : 'kept'} ${kept} and ${verb} ${forgotten.length}.`
  const lines = forgotten
    .slice(0, SHOWN)
    .flatMap(({ memory, reason }) => [
      `${style.accent(shortId(memory))}  ${shorten(printable(texts.get(memory)?.text ?? ''), style.width - 10)}`,
      wrap(style.dim(reason), style.width, ' '.repeat(10)),
    ])
  const rest = forgotten.length - SHOWN
  return [head, ...lines, ...(rest > 0 ? [style.dim(`… and ${rest} more; --json lists all`)] : [])].join('\n')
}
