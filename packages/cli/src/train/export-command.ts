import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { InvalidArgumentError, Option, type Command } from '@commander-js/extra-typings'
import type { Exported, ExportOptions, Shares, Task } from '@keepsake/train'
import type { Keepsake } from 'keepsake'
import { given } from '@keepsake/text/names'
import { notFound, wrongUsage } from '../cli-error.ts'
import { defineCommand, type OptionsOf } from '../define-command.ts'
import type { Io } from '../io.ts'
import { loadModels, loadTraining } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { matchesAgentAndApp, shownDb, withExisting } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import { table, type Shown } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'
import { wrap } from '../output/style.ts'
import { oneOrMoreOf, wholeNumber } from '../read-values.ts'
import type { Declared } from '../shared-options.ts'

/** The tasks of @keepsake/train. They are repeated here, because that package is loaded only when an export runs. */
const TASK_NAMES = [
  'persona-snapshot',
  'operations',
  'session-memory',
  'compression',
  'reply',
  'reply-dpo',
] as const satisfies readonly Task[]

const exportOptions = (command: Command) =>
  command
    .requiredOption(
      '--task <list>',
      `tasks to learn, separated by commas: ${TASK_NAMES.join(', ')}`,
      oneOrMoreOf<Task>(TASK_NAMES),
    )
    .requiredOption('--out <folder>', 'the folder for the export, new or empty')
    .option('--include-rules', 'include examples that rules extracted')
    .option('--only-agreed', 'include only users who agreed, instead of all who did not refuse')
    .option('--identified', 'do not replace names, addresses and numbers')
    .addOption(
      new Option(
        '--mixture <kind>',
        'for several tasks: all examples, or as many of each task as the rarest has',
      )
        .choices(['found', 'even'])
        .default('found'),
    )
    .option('--model <spec>', 'the language model that writes the replies of reply-dpo')
    .option('--shares <a:b:c>', 'shares of users: train, validation, test (default: 80:10:10)', readShares)
    .option('--seed <n>', 'the same seed makes the same export', wholeNumber(0, 0xffff_ffff), 1)

type Options = OptionsOf<Declared<typeof exportOptions>, 'person' | 'db' | 'preset'>

const TASKS_HELP = `
Tasks:
  persona-snapshot  the traits of each speaker in a part of a conversation (preset moom)
  operations        the changes of memories by an exchange (preset mmm)
  session-memory    the memory of a session (preset comedy)
  compression       a portrait from session memories (preset comedy)
  reply             a reply from portrait and conversation (preset comedy)
  reply-dpo         the same, with a worse reply (preset comedy)

If a user edited, undid or decided on a quarantined memory, the answer is corrected
and forms a preference pair with the former answer.`

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'examples to train your own model',
  description:
    'Writes examples to train a language model: the prompts of the engine with the answers of the log, corrected as users corrected them. The formats are those of LLaMA-Factory, axolotl and TRL. Names are replaced, users who refused are left out, and no user is in two of the three parts.',
  sharedOptions: ['person', 'db', 'preset'],
  declare: exportOptions,
  details: `${TASKS_HELP}\n${MODEL_FORMS_HELP}`,
  examples: [
    'keepsake train export --task operations --out mmm --preset mmm',
    'keepsake train export --task session-memory,compression,reply --out comedy --preset comedy',
    'keepsake train export --task reply-dpo --out dpo --preset comedy --model openai:gpt-5-mini',
  ],
  async run({ io, options }) {
    requireEmpty(options.out)
    requirePairsPossible(options)
    return withExisting(options, (memory) => exportMemory(io, memory, options))
  },
})

function requireEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw wrongUsage(`${folder} is not empty. Choose a new or empty folder.`)
}

function requirePairsPossible({ task, model }: Options): void {
  if (task.includes('reply-dpo') && model === undefined)
    throw wrongUsage('For reply-dpo a language model writes both replies: name one with --model.')
}

async function exportMemory(io: Io, memory: Keepsake, options: Options): Promise<Shown> {
  const { user, tenant } = options
  const rows = (await memory.scopes(given({ user, tenant }))).filter((row) =>
    matchesAgentAndApp(row, options),
  )
  if (rows.length === 0) throw notFound(`${shownDb(options.db)} has no user that these options name.`)
  const { exportStore } = await loadTraining()
  const progress = progressFor(io, options.json === true)
  const settings = { ...(await settingsOf(io, options)), onProgress: progress.follow('people') }
  mkdirSync(options.out, { recursive: true })
  return showExport(options, await exportStore(memory, rows, settings).finally(progress.stop))
}

async function settingsOf({ env }: Io, options: Options): Promise<ExportOptions> {
  const { task, out, model, shares = [80, 10, 10] as const } = options
  return {
    folder: out,
    tasks: [...new Set(task)],
    shares,
    seed: options.seed,
    mixture: options.mixture,
    identified: options.identified === true,
    onlyAgreed: options.onlyAgreed === true,
    includeRules: options.includeRules === true,
    model: model === undefined ? undefined : await (await loadModels()).openModel(model, { env }),
  }
}

function showExport({ out }: Options, exported: Exported): Shown {
  return {
    data: { out, ...exported },
    formatText: ({ bold, dim, warn, width }) => {
      const { written, by, people } = exported
      const cells = (['sft', 'dpo'] as const).map((method) => [
        method === 'sft' ? 'to imitate' : 'preference pairs',
        ...(['train', 'validation', 'test'] as const).map((part) => bold(String(written[method][part]))),
      ])
      const vouchers = Object.entries(by).map(([voucher, count]) => `${count} by ${voucher}`)
      return [
        `${bold(out)}: examples from ${formatCount(people, 'life', 'lives')}, ${vouchers.join(', ')}`,
        table(['', 'train', 'validation', 'test'].map(dim), cells, [1, 2, 3]),
        ...leftOut(exported).map((line) => warn(wrap(line, width))),
      ].join('\n')
    },
  }
}

/** Lists the omitted parts with reasons. */
function leftOut(exported: Exported): string[] {
  const { scopesRefused, withheld, byRules, repeated, emptyLeftOut, unevenLeftOut, unreadable, pairsFailed } =
    exported
  const { names, details } = exported
  const line = (count: number, what: string): string[] => (count === 0 ? [] : [`${count} ${what}`])
  return [
    ...line(scopesRefused, 'scopes were left out: their users refused.'),
    ...line(withheld, 'examples were left out: they depend on forgotten, removed or excluded memories.'),
    ...line(byRules, 'examples were left out: rules extracted them (--include-rules includes them).'),
    ...line(repeated, 'examples were left out: they repeat others.'),
    ...line(emptyLeftOut, 'examples were left out: only a few examples without a change are needed.'),
    ...line(unevenLeftOut, 'examples were left out, so that each task has as many.'),
    ...line(
      unreadable.length,
      `examples were left out: the engine would refuse their answers (${unreadable[0] ?? ''}).`,
    ),
    ...line(pairsFailed.length, `replies gave no pair (${pairsFailed[0] ?? ''}).`),
    ...(names + details === 0 ? [] : [`${names} names and ${details} addresses and numbers were replaced.`]),
  ]
}

function readShares(value: string): Shares {
  const [train, validation, test, ...more] = value.split(':').map(Number)
  const areNumbers = [train, validation, test].every((share) => share !== undefined && share >= 0)
  if (areNumbers && more.length === 0 && (train ?? 0) > 0) return [train ?? 0, validation ?? 0, test ?? 0]
  throw new InvalidArgumentError('It must be three numbers such as 80:10:10, the first above 0.')
}
