import { wrongUsage } from '../cli-error.ts'
import { oneOrMoreOf, time, wholeNumber } from '../read-values.ts'
import { scopeCommand } from '../define-command.ts'
import { given } from '../given.ts'
import { FORMS, TYPES } from '../memory-names.ts'
import { showRecall } from '../output/format-recall.ts'

export const recallCommand = scopeCommand({
  name: 'recall',
  summary: 'what bears on a question',
  description:
    'What bears on a question: memories, the turns that prove them, and how sure it is. Changes nothing unless --reinforce is given.',
  models: true,
  declare: (command) =>
    command
      .argument('<question>', 'what you want to know, in your own words')
      .option('--limit <n>', 'memories at most', wholeNumber(1, 1_000))
      .option('--tokens <n>', 'token budget of the context', wholeNumber(1, 1_000_000))
      .option('--types <list>', `only these types: ${TYPES.join(', ')}`, oneOrMoreOf(TYPES))
      .option('--forms <list>', `only these forms: ${FORMS.join(', ')}`, oneOrMoreOf(FORMS))
      .option('--now <time>', 'the moment of asking, for "last month"', time)
      .option('--as-of <time>', 'answer from what was known at that time', time)
      .option('--reinforce', 'strengthen what is recalled, as a talk would')
      .option('--parts', 'show what each score is made of')
      .option('--context', 'print only the context for a language model'),
  examples: [
    'keepsake recall "What can Maya not eat?" --user maya',
    'keepsake recall "Where does she live?" --user maya --as-of 2026-03-20',
    'keepsake recall "小雨住在哪里?" --user xiaoyu --json',
  ],
  async run({ scope, options }, question) {
    if (question.trim() === '')
      throw wrongUsage('The question is empty: say what you want to know. "keepsake list" shows everything.')
    const { limit, tokens, types, forms, now, asOf, reinforce = false, parts, context } = options
    const filters = given({ limit, tokens, types, forms, now, asOf })
    const recall = await scope.recall(question, { reinforce, ...filters })
    const shown = showRecall(recall, parts)
    return context === true ? { ...shown, words: () => recall.context.text } : shown
  },
})
