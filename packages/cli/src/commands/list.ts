import { oneOrMoreOf, wholeNumber } from '../read-values.ts'
import { scopeCommand } from '../define-command.ts'
import { given } from '../given.ts'
import { FORMS, STATUSES } from '../memory-names.ts'
import { showMemories } from '../output/format-memory.ts'
import { formatCount } from '../output/format-quantity.ts'

const SHOWN = 50

export const listCommand = scopeCommand({
  name: 'list',
  summary: 'memories, newest first',
  description:
    'Memories, newest first: what is live, or with --status what was forgotten, deleted or not believed.',
  declare: (command) =>
    command
      .option('--forms <list>', `only these forms: ${FORMS.join(', ')}`, oneOrMoreOf(FORMS))
      .option('--status <list>', `of these states: ${STATUSES.join(', ')}`, oneOrMoreOf(STATUSES))
      .option('--all', 'of every state')
      .option('--session <id>', 'only of this session')
      .option(
        '--limit <n>',
        `memories at most (default: ${SHOWN}; no limit with --json)`,
        wholeNumber(1, 1_000_000),
      ),
  json: 'one JSON object a memory, a line each',
  examples: [
    'keepsake list --user maya --forms fact',
    'keepsake list --user maya --status forgotten,deleted',
    'keepsake list --user maya --all --json',
  ],
  async run({ scope, options: { all, status, forms, session, limit } }) {
    const statuses = all === true ? STATUSES : status
    const found = (await scope.memories(given({ statuses, forms, session }))).toReversed()
    const { words } = showMemories(found, limit ?? SHOWN, (shown) => {
      if (found.length === 0) return 'No memories.'
      const rest = found.length - shown
      const more = rest > 0 ? `; ${rest} more with --limit ${found.length}` : ''
      return `${formatCount(shown, 'memory', 'memories')}${more}`
    })
    return { data: found.slice(0, limit), words }
  },
})
