import { Command, Option } from 'commander'
import type { Keepsake, ScopeRow } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { ImportFormat, ImportSource } from '../importing/import-source.ts'
import { importTurns, type ImportResult } from '../importing/import-turns.ts'
import { readDataset } from '../importing/read-dataset.ts'
import { readJsonl } from '../importing/read-jsonl.ts'
import { readMem0 } from '../importing/read-mem0.ts'
import { readLines, requireFile } from '../importing/read-lines.ts'
import type { Io } from '../io.ts'
import { openModels, withModels, type ModelOptions } from '../model-options.ts'
import { withOpened } from '../open-database.ts'
import { formatCount, formatMilliseconds } from '../output/format-quantity.ts'
import { print, printJson } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'
import { styleFor, wrap } from '../output/style.ts'
import { CallTally, countInWords, type CallCount } from '../watch-calls.ts'
import { watchModels } from '../watch-models.ts'

interface Options extends ScopeOptions, ModelOptions {
  readonly format: ImportFormat
  readonly keepOpen?: boolean
}

const FORMATS: readonly ImportFormat[] = ['jsonl', 'locomo', 'lufy', 'memorybank', 'mem0', 'keepsake']

const DETAILS = `
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

export function importCommand(io: Io): Command {
  const command = new Command('import')
    .summary('remember conversations from files')
    .description('Remembers conversations from files, in a database that is made when missing.')
    .argument('<file...>', 'files, or a folder for lufy')
    .addOption(new Option('--format <name>', 'what the files are').choices(FORMATS).default('jsonl'))
    .option('--keep-open', 'do not end the last session: more of it will follow')
    .addHelpText('after', DETAILS)
  withModels(command, io).addHelpText(
    'after',
    examples(
      'keepsake import chats.jsonl --user maya',
      'keepsake import chats.jsonl --user maya --model ollama:qwen3:8b',
      'keepsake import --format locomo locomo10.json --db locomo.db',
      'keepsake import --format mem0 memories.json',
      'keepsake import --format keepsake maya.jsonl',
    ),
  )
  return withScope(command, io).action(async (files: string[], options: Options) => {
    if (options.format === 'keepsake') return restoreExports(io, files, options)
    const sources = await openSources(io, files, options)
    await remember(io, sources, options)
  })
}

/** Opens everything first, so that a misspelt second file is told before the first is stored. */
async function openSources(
  io: Io,
  files: readonly string[],
  { format, user }: Options,
): Promise<ImportSource[]> {
  if (format === 'jsonl') {
    for (const file of files) if (file !== '-') requireFile(file)
    return files.map((file) => readJsonl(file, io.stdin))
  }
  if (format === 'keepsake') return []
  if (format === 'mem0') {
    for (const file of files) if (file !== '-') requireFile(file)
    return Promise.all(files.map((file) => readMem0(file, io.stdin, user)))
  }
  const sources = (await Promise.all(files.map((file) => readDataset(format, file)))).flat()
  if (user !== undefined && sources.length > 1) {
    throw wrongUsage(
      `These files hold ${sources.length} people, who would become one with --user ${user}: leave --user out.`,
    )
  }
  return sources
}

async function remember(io: Io, sources: readonly ImportSource[], options: Options): Promise<void> {
  const started = performance.now()
  const progress = progressFor(io, options.json === true)
  const models = watchModels(await openModels(io, options), progress, 'Consolidating')
  const result = await withOpened(
    options,
    async (memory) => {
      if (options.format === 'mem0') requireUtterances(memory)
      const tally = new CallTally(memory)
      try {
        const imported = await importTurns(memory, sources, options, {
          keepOpen: options.keepOpen === true,
          progress,
        })
        progress.wait('Consolidating')
        await memory.drain()
        const left = options.model === undefined ? 0 : (await memory.jobs()).length
        return { ...imported, model: options.model === undefined ? null : tally.total, left }
      } finally {
        progress.stop()
      }
    },
    models,
  )
  const milliseconds = performance.now() - started
  const leftOut = sources.flatMap((source) => source.leftOut ?? [])
  if (options.json === true) printJson(io, { db: options.db, ...result, leftOut, milliseconds })
  else print(io, ...describe(io, options.db, { ...result, leftOut }, milliseconds))
}

/** Statements without words of a user behind them are kept as they are or not at all. */
function requireUtterances({ preset }: Keepsake): void {
  if (preset.branches.some((branch) => branch.kind === 'utterances')) return
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
}

function describe(io: Io, db: string, result: Imported, milliseconds: number): string[] {
  const { added, repeated, sessions, masked, users, model, left, leftOut } = result
  const style = styleFor(io)
  const who = users.length > 3 ? `${users.length} people` : users.join(', ')
  const again = repeated === 0 ? '' : `, ${repeated} were known already`
  const secrets = Object.entries(masked).map(([kind, times]) => `${times} × ${kind}`)
  const first = users[0]
  return [
    `Remembered ${formatCount(added, 'turn')} of ${formatCount(sessions, 'session')}${who === '' ? '' : ` of ${who}`} in ${db}${again} (${formatMilliseconds(milliseconds)}).`,
    ...(secrets.length === 0 ? [] : [style.warn(`Masked before storage: ${secrets.join(', ')}.`)]),
    ...leftOut.map((sentence) => style.warn(wrap(sentence, style.width))),
    ...(model === null ? [] : [style.dim(`The model: ${countInWords(model)}.`)]),
    ...(left === 0
      ? []
      : [
          style.warn(
            wrap(
              `${formatCount(left, 'job')} could not be finished: nothing is lost, and "keepsake jobs --db ${db}" says why.`,
              style.width,
            ),
          ),
        ]),
    ...(first === undefined ? [] : [style.dim(`Next: keepsake recall "…" --db ${db} --user ${first}`)]),
  ]
}

async function restoreExports(io: Io, files: readonly string[], options: Options): Promise<void> {
  for (const file of files) if (file !== '-') requireFile(file)
  const models = await openModels(io, options)
  const rows = await withOpened(options, (memory) => importAll(io, memory, files), models)
  if (options.json === true) {
    printJson(io, {
      db: options.db,
      scopes: rows.map(({ tenant, user, agent, app }) => ({ tenant, user, agent, app })),
    })
    return
  }
  const users = [...new Set(rows.map((row) => row.user))]
  print(io, `Read back ${users.join(', ')} (${formatCount(rows.length, 'scope')}) into ${options.db}.`)
}

async function importAll(io: Io, memory: Keepsake, files: readonly string[]): Promise<ScopeRow[]> {
  const rows: ScopeRow[] = []
  for (const file of files) rows.push(...(await memory.import(readLines(file, io.stdin))))
  return rows
}
