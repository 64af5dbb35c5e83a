import { Option, type Command } from '@commander-js/extra-typings'
import type { Keepsake } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { defineCommand, type OptionsOf } from '../define-command.ts'
import type { ImportSource } from '../importing/import-source.ts'
import { importTurns, type ImportResult } from '../importing/import-turns.ts'
import { readDataset } from '../importing/read-dataset.ts'
import { readJsonl } from '../importing/read-jsonl.ts'
import { readLines, requireFile } from '../importing/read-lines.ts'
import { readMem0 } from '../importing/read-mem0.ts'
import type { Io } from '../io.ts'
import { openModels } from '../model-options.ts'
import { withOpened } from '../open-database.ts'
import { formatCount, formatMilliseconds } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'
import { wrap } from '../output/style.ts'
import type { Declared } from '../shared-options.ts'
import { CallTally, countInWords, watchModels, type CallCount } from '../watch-calls.ts'
import { shownDb } from '../postgres-address.ts'

const importOptions = (command: Command) =>
  command
    .argument('<file...>', 'files, or a folder for lufy')
    .addOption(
      new Option('--format <name>', 'what the files are')
        .choices(['jsonl', 'locomo', 'lufy', 'memorybank', 'mem0', 'keepsake'])
        .default('jsonl'),
    )
    .option('--keep-open', 'do not end the last session: more of it will follow')

type Options = OptionsOf<Declared<typeof importOptions>, 'models' | 'person' | 'db' | 'preset'>

const FORMATS_HELP = `
Formats:
  jsonl       a turn a line: {"role": "user", "text": "…"} and, where known,
              "id", "at", "timeZone", "speaker", "session", "user", "agent" and
              "remember"; the file - is stdin
  locomo      LoCoMo's published JSON
  lufy        LUFY-Dataset's folder
  memorybank  MemoryBank's memory_bank_en.json or memory_bank_cn.json
  mem0        what Mem0's get_all gave, as JSON or a memory a line: statements
              that nobody said, kept as they are; nothing is drawn from them
  keepsake    what "keepsake export" wrote

Turns whose id is known are not stored again, so an import can be repeated.`

export const importCommand = defineCommand({
  name: 'import',
  summary: 'remember conversations from files',
  description: 'Remembers conversations from files, in a database that is made when missing.',
  takes: ['models', 'person', 'db', 'preset'],
  declare: importOptions,
  details: FORMATS_HELP,
  examples: [
    'keepsake import chats.jsonl --user maya',
    'keepsake import chats.jsonl --user maya --model ollama:qwen3:8b',
    'keepsake import --format locomo locomo10.json --db locomo.db',
    'keepsake import --format mem0 memories.json',
    'keepsake import --format keepsake maya.jsonl',
  ],
  async run({ io, options }, files) {
    if (options.format === 'keepsake') return restoreExports(io, files, options)
    return rememberAll(io, await openSources(io, files, options), options)
  },
})

/** Opens everything first, so that a misspelt second file is told before the first is stored. */
async function openSources(
  { stdin }: Io,
  files: readonly string[],
  { format, user }: Options,
): Promise<ImportSource[]> {
  if (format === 'jsonl' || format === 'mem0') {
    for (const file of files) requireFile(file)
    if (format === 'jsonl') return files.map((file) => readJsonl(file, stdin))
    return Promise.all(files.map((file) => readMem0(file, stdin, user)))
  }
  if (format === 'keepsake') return []
  const sources = (await Promise.all(files.map((file) => readDataset(format, file)))).flat()
  if (user !== undefined && sources.length > 1) {
    throw wrongUsage(
      `These files hold ${sources.length} people, who would become one with --user ${user}: leave --user out.`,
    )
  }
  return sources
}

async function rememberAll(io: Io, sources: readonly ImportSource[], options: Options): Promise<Shown> {
  const started = performance.now()
  const progress = progressFor(io, options.json === true)
  const isAsked = options.model !== undefined
  const models = watchModels(await openModels(io, options), progress, 'Consolidating')
  const work = async (memory: Keepsake) => {
    if (options.format === 'mem0') requireUtterances(memory)
    const tally = new CallTally(memory)
    const imported = await importTurns(memory, sources, options, progress)
    progress.wait('Consolidating')
    await memory.drain()
    return {
      ...imported,
      model: isAsked ? tally.total : null,
      left: isAsked ? (await memory.jobs()).length : 0,
    }
  }
  const result = await withOpened(options, work, models).finally(() => progress.stop())
  const leftOut = sources.flatMap((source) => source.leftOut ?? [])
  return showImport(shownDb(options.db), { ...result, leftOut, milliseconds: performance.now() - started })
}

/** Statements without words of a user behind them are kept as they are or not at all. */
function requireUtterances({ preset }: Keepsake): void {
  const keeps = preset.branches.some((branch) => branch.kind === 'utterances')
  const takesIn = preset.branches.some((branch) => branch.kind === 'story' && branch.takesIn === true)
  if (keeps && !takesIn) return
  throw wrongUsage(
    `The preset ${preset.name} keeps no words as they are, so Mem0's memories would be lost in it. Import them with --preset keepsake.`,
  )
}

/** What an import did, and what that cost. */
interface Imported extends ImportResult {
  /** What the language model was asked for; `null` without one. */
  readonly model: CallCount | null
  /** Work that is left because the model failed. */
  readonly left: number
  readonly leftOut: readonly string[]
  readonly milliseconds: number
}

function showImport(db: string, result: Imported): Shown {
  const { added, repeated, sessions, masked, users, model, left, leftOut, milliseconds } = result
  const [first] = users
  const people = users.length > 3 ? `${users.length} people` : users.join(', ')
  const whose = people === '' ? '' : ` of ${people}`
  const again = repeated === 0 ? '' : `, ${repeated} were known already`
  const secrets = Object.entries(masked).map(([kind, times]) => `${times} × ${kind}`)
  const warnings = [
    ...(secrets.length === 0 ? [] : [`Masked before storage: ${secrets.join(', ')}.`]),
    ...leftOut,
    ...(left === 0
      ? []
      : [
          `${formatCount(left, 'job')} could not be finished: nothing is lost, and "keepsake jobs --db ${db}" says why.`,
        ]),
  ]
  return {
    data: { db, ...result },
    words: ({ width, warn, dim }) =>
      [
        `Remembered ${formatCount(added, 'turn')} of ${formatCount(sessions, 'session')}${whose} in ${db}${again} (${formatMilliseconds(milliseconds)}).`,
        ...warnings.map((warning) => warn(wrap(warning, width))),
        ...(model === null ? [] : [dim(`The model: ${countInWords(model)}.`)]),
        ...(first === undefined ? [] : [dim(`Next: keepsake recall "…" --db ${db} --user ${first}`)]),
      ].join('\n'),
  }
}

async function restoreExports(io: Io, files: readonly string[], options: Options): Promise<Shown> {
  for (const file of files) requireFile(file)
  const rows = await withOpened(
    options,
    async (memory) => {
      const read = []
      for (const file of files) read.push(...(await memory.import(readLines(file, io.stdin))))
      return read
    },
    await openModels(io, options),
  )
  const users = [...new Set(rows.map((row) => row.user))]
  return {
    data: {
      db: shownDb(options.db),
      scopes: rows.map(({ tenant, user, agent, app }) => ({ tenant, user, agent, app })),
    },
    words: () =>
      `Read back ${users.join(', ')} (${formatCount(rows.length, 'scope')}) into ${shownDb(options.db)}.`,
  }
}
