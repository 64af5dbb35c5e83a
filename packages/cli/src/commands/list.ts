import { given } from '@keepsake/text/names'
import { scopeCommand } from '../define-command.ts'
import { FORMS, STATUSES } from '../find-memory.ts'
import { showMemories } from '../output/format-memory.ts'
import { formatCount } from '../output/format-quantity.ts'
import { commaSeparated, oneOrMoreOf, span, wholeNumber } from '../read-values.ts'

const DEFAULT_LIMIT = 50

export const listCommand = scopeCommand({
  name: 'list',
  summary: 'known statements, the newest first',
  description:
    'Lists live statements, the newest first. --status lists memories that were forgotten on request (deleted) or by the policy (forgotten), or quarantined. --forms utterance lists messages.',
  declare: (command) =>
    command
      .option('--forms <list>', `only these forms: ${FORMS.join(', ')}`, oneOrMoreOf(FORMS))
      .option('--status <list>', `with these statuses: ${STATUSES.join(', ')}`, oneOrMoreOf(STATUSES))
      .option('--all', 'memories of any form and status')
      .option('--categories <list>', 'only facts of these categories', commaSeparated)
      .option('--session <id>', 'only this session')
      .option('--said <span>', 'only memories of turns from this time span: 2026-03-01/2026-03-31', span)
      .option(
        '--during <span>',
        'only memories that were true in this time span: 2026-03-01/2026-03-31',
        span,
      )
      .option(
        '--limit <n>',
        `maximum number of memories (default: ${DEFAULT_LIMIT}; no limit with --json)`,
        wholeNumber(1, 1_000_000),
      ),
  json: 'one JSON object per line',
  examples: [
    'keepsake list --user maya --forms fact',
    'keepsake list --user maya --status forgotten,deleted',
    'keepsake list --user maya --all --json',
  ],
  async run({ scope, options }) {
    const { all, status, json, forms, categories, session, said, during } = options
    const { limit = json === true ? undefined : DEFAULT_LIMIT } = options
    const statuses = all === true ? STATUSES : status
    // Reads one memory more than it shows, to find out whether there are more.
    const readLimit = limit === undefined ? undefined : limit + 1
    const filter = given({ statuses, forms, categories, session, said, during, limit: readLimit })
    const memories = await scope.memories({ newestFirst: true, ...filter })
    const { formatText } = showMemories(memories, limit ?? DEFAULT_LIMIT, (shown) => {
      if (memories.length === 0)
        return forms === undefined ? 'No statements. Messages: --forms utterance' : 'No memories.'
      const more = memories.length > shown ? `; there are more: --limit ${2 * shown}` : ''
      return `${formatCount(shown, 'memory', 'memories')}${more}`
    })
    return { data: memories.slice(0, limit), formatText }
  },
})
