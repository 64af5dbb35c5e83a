import { Command } from 'commander'
import type { MemoryForm, MemoryType, Recall, RecallOptions } from 'keepsake'
import { oneOrMoreOf, time, wholeNumber, withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { openModels, withModels, type ModelOptions } from '../model-options.ts'
import { withExistingScope } from '../open-database.ts'
import { formatRecall } from '../output/format-recall.ts'
import { print, printJson } from '../output/print.ts'
import { styleFor } from '../output/style.ts'

const TYPES: readonly MemoryType[] = ['persona', 'event', 'relationship']
const FORMS: readonly MemoryForm[] = ['utterance', 'fact', 'summary', 'story', 'portrait', 'note']

interface Options extends ScopeOptions, ModelOptions {
  readonly limit?: number
  readonly tokens?: number
  readonly types?: MemoryType[]
  readonly forms?: MemoryForm[]
  readonly now?: Date
  readonly asOf?: Date
  readonly reinforce?: boolean
  readonly parts?: boolean
  readonly context?: boolean
}

export function recallCommand(io: Io): Command {
  const command = new Command('recall')
    .summary('what bears on a question')
    .description(
      'What bears on a question: memories, the turns that prove them, and how sure it is. Changes nothing unless --reinforce is given.',
    )
    .argument('<question>', 'what you want to know, in your own words')
    .option('--limit <n>', 'memories at most', wholeNumber(1, 1_000))
    .option('--tokens <n>', 'token budget of the context', wholeNumber(1, 1_000_000))
    .option('--types <list>', `only these types: ${TYPES.join(', ')}`, oneOrMoreOf(TYPES))
    .option('--forms <list>', `only these forms: ${FORMS.join(', ')}`, oneOrMoreOf(FORMS))
    .option('--now <time>', 'the moment of asking, for "last month"', time)
    .option('--as-of <time>', 'answer from what was known at that time', time)
    .option('--reinforce', 'strengthen what is recalled, as a talk would')
    .option('--parts', 'show what each score is made of')
    .option('--context', 'print only the context for a language model')
  withModels(command, io).addHelpText(
    'after',
    examples(
      'keepsake recall "What can Maya not eat?" --user maya',
      'keepsake recall "Where does she live?" --user maya --as-of 2026-03-20',
      'keepsake recall "小雨住在哪里?" --user xiaoyu --json',
    ),
  )
  return withScope(command, io).action(async (question: string, options: Options) => {
    const models = await openModels(io, options)
    const recall = await withExistingScope(
      options,
      (scope) => scope.recall(question, recallOptions(options)),
      models,
    )
    show(io, recall, options)
  })
}

function recallOptions({ limit, tokens, types, forms, now, asOf, reinforce }: Options): RecallOptions {
  return {
    reinforce: reinforce ?? false,
    ...(limit === undefined ? {} : { limit }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(types === undefined ? {} : { types }),
    ...(forms === undefined ? {} : { forms }),
    ...(now === undefined ? {} : { now }),
    ...(asOf === undefined ? {} : { asOf }),
  }
}

function show(io: Io, recall: Recall, { json, context, parts }: Options): void {
  if (json === true) printJson(io, recall)
  else if (context === true) print(io, recall.context.text)
  else print(io, formatRecall(recall, styleFor(io), { parts: parts === true }))
}
