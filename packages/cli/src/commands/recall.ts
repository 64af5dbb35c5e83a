import { given, MEMORY_TYPES } from '@keepsake/text/names'
import { wrongUsage } from '../cli-error.ts'
import { scopeCommand } from '../define-command.ts'
import { FORMS } from '../find-memory.ts'
import { showRecall } from '../output/format-recall.ts'
import { commaSeparated, oneOrMoreOf, span, time, wholeNumber } from '../read-values.ts'

export const recallCommand = scopeCommand({
  name: 'recall',
  summary: 'search memory for a question',
  description:
    'Searches memory for a question. It shows memories, the turns that support them, and the confidence. Changes nothing without --reinforce.',
  models: true,
  declare: (command) =>
    command
      .argument('<question>', 'a question in your own words')
      .option('--limit <n>', 'maximum number of memories', wholeNumber(1, 1_000))
      .option('--tokens <n>', 'token budget of the context', wholeNumber(1, 1_000_000))
      .option('--types <list>', `only these types: ${MEMORY_TYPES.join(', ')}`, oneOrMoreOf(MEMORY_TYPES))
      .option('--forms <list>', `only these forms: ${FORMS.join(', ')}`, oneOrMoreOf(FORMS))
      .option('--categories <list>', 'only facts of these categories', commaSeparated)
      .option('--now <time>', 'the time of the question, to resolve "last month"', time)
      .option('--as-of <time>', 'answer from what was known at that time', time)
      .option('--said <span>', 'only memories of turns from this time span: 2026-03-01/2026-03-31', span)
      .option(
        '--during <span>',
        'only memories that were true in this time span: 2026-03-01/2026-03-31',
        span,
      )
      .option('--reinforce', 'reinforce the recalled memories, as a conversation does')
      .option('--context', 'print only the context for a language model'),
  examples: [
    'keepsake recall "What can Maya not eat?" --user maya',
    'keepsake recall "Where does she live?" --user maya --as-of 2026-03-20',
    'keepsake recall "小雨住在哪里?" --user xiaoyu --json',
  ],
  async run({ scope, options }, question) {
    if (question.trim() === '')
      throw wrongUsage('The question is empty. Ask something, or use "keepsake list" to see all memories.')
    const { reinforce = false, context, limit, tokens, types } = options
    const { forms, categories, now, asOf, said, during } = options
    const filters = given({ limit, tokens, types, forms, categories, now, asOf, said, during })
    const recall = await scope.recall(question, { reinforce, ...filters })
    const result = showRecall(recall)
    return context === true ? { ...result, formatText: () => recall.context.text } : result
  },
})
