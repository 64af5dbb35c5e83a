import type { ForgettingResult, Memory } from 'keepsake'
import { given } from '@keepsake/text/names'
import { share, wholeNumber } from '../read-values.ts'
import { scopeCommand } from '../define-command.ts'
import { FORMS, shortId } from '../find-memory.ts'
import { formatCount } from '../output/format-quantity.ts'
import { printable, shorten, type Style } from '../output/style.ts'

const MAX_SHOWN = 30

export const forgettingCommand = scopeCommand({
  name: 'run-forgetting',
  summary: 'forget the weakest memories now (--dry-run shows which)',
  description:
    'Runs the forgetting policy now. Forgotten memories are no longer recalled, and can be restored. --json gives the reason of each.',
  declare: (command) =>
    command
      .option('--dry-run', 'only list what would be forgotten')
      .option(
        '--keep <share>',
        'keep this share of all memories, 0 to 1, instead of the preset’s setting',
        share,
      )
      .option(
        '--capacity <n>',
        'keep at most this number of memories instead',
        wholeNumber(0, 1_000_000_000),
      ),
  examples: [
    'keepsake run-forgetting --dry-run --user maya',
    'keepsake run-forgetting --keep 0.5 --preset lufy --user maya',
  ],
  async run({ scope, options: { dryRun = false, keep, capacity } }) {
    const before = await scope.memories({ forms: FORMS })
    const limits = capacity === undefined ? undefined : { memories: capacity }
    const result = await scope.runForgetting({ dryRun, ...given({ keep, capacity: limits }) })
    return { data: result, formatText: (style) => formatForgetting(result, before, style) }
  },
})

function formatForgetting(result: ForgettingResult, before: readonly Memory[], style: Style): string {
  const { policy, considered, kept, forgotten, operations, dryRun } = result
  const [keep, verb] = dryRun ? ['would keep', 'would forget'] : ['kept', 'forgot']
  const [keptCount, forgottenCount] = [kept, forgotten.length].map((count) => count.toLocaleString('en'))
  const texts = new Map(before.map(({ id, text }) => [id, text]))
  const lines = forgotten
    .slice(0, MAX_SHOWN)
    .map(
      ({ memory }) =>
        `${style.accent(shortId(memory))}  ${shorten(printable(texts.get(memory) ?? ''), style.width - 10)}`,
    )
  const rest = forgotten.length - MAX_SHOWN
  return [
    `${policy} judged ${formatCount(considered, 'memory', 'memories')}, ${keep} ${keptCount} and ${verb} ${forgottenCount}.`,
    ...lines,
    ...operations.map((id) => style.dim(`Undo: keepsake undo ${id}`)),
    ...(rest > 0 ? [style.dim(`… and ${rest.toLocaleString('en')} more; --json lists all`)] : []),
  ].join('\n')
}
