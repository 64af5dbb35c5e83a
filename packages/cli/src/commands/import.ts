import { existsSync, readFileSync } from 'node:fs'
import { Option, type Command } from '@commander-js/extra-typings'
import {
  DATE_ORDERS,
  FORMATS,
  LeftOut,
  TurnImport,
  type FileSurvey,
  type ImportResult,
  type ImportSettings,
  type ImportSource,
  type InputFile,
  type PlacedTurn,
  sayNothingFound,
} from '@keepsake/importing'
import type { Keepsake, ScopeRow, ScopedMemory } from 'keepsake'
import { given, InvalidInputError } from '@keepsake/text/names'
import { CliError, wrongUsage } from '../cli-error.ts'
import { defineCommand, type OptionsOf } from '../define-command.ts'
import { openSources } from '../importing/open-sources.ts'
import { showExports, showSurveys, surveySources } from '../importing/show-surveys.ts'
import type { Io } from '../io.ts'
import { openModels } from '../model-options.ts'
import { discardDatabase, shownDb, withOpened } from '../open-database.ts'
import { formatCount, formatMilliseconds } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { progressFor, type Progress } from '../output/progress.ts'
import { wrap } from '../output/style.ts'
import { timeZoneName } from '../read-values.ts'
import { takeStopSignal } from '../stop-signal.ts'
import type { Declared, SharedOptions } from '../shared-options.ts'
import { CallTally, describeCalls, type CallCount } from '../watch-calls.ts'
import { EXIT } from '../exit-codes.ts'

const importOptions = (command: Command) =>
  command
    .argument('<file...>', 'files, or the folder of a Slack export; - is stdin')
    .addOption(
      new Option('--format <name>', 'the format of the files, if it is not recognised').choices(FORMATS),
    )
    .option('--dry-run', 'only show what would be imported')
    .option('--speaker <name>', 'which speaker in a chat is the user')
    .addOption(
      new Option('--date-order <order>', 'the order of day and month in a chat, if it is ambiguous').choices(
        DATE_ORDERS,
      ),
    )
    .option(
      '--time-zone <name>',
      "where times without a zone were written (default: this machine's)",
      timeZoneName,
    )
    .option('--of <name>', 'which user to import, if a file holds several')
    .option('--keep-open', 'do not end the last session; more of it follows')

type Options = OptionsOf<Declared<typeof importOptions>, 'models' | 'person' | 'db' | 'preset'>

const FORMATS_HELP = new URL('../../data/import-formats.txt', import.meta.url)

export const importCommand = defineCommand({
  name: 'import',
  summary: 'remember conversations from files',
  description: 'Remembers conversations from files. Creates the database if it is missing.',
  sharedOptions: ['models', 'person', 'db', 'preset'],
  declare: importOptions,
  details: `\n${readFileSync(FORMATS_HELP, 'utf8').trimEnd()}`,
  examples: [
    'keepsake import conversations.json --user maya --dry-run',
    'keepsake import conversations.json --user maya',
    'keepsake import "WhatsApp Chat with Ben.txt" --speaker Maya --time-zone Europe/London',
    'keepsake import chats.jsonl --user maya --model ollama:qwen3:8b',
    'keepsake import memories.json --format mem0',
    'keepsake import maya.jsonl',
  ],
  async run({ io, options }, files) {
    const settings: ImportSettings = {
      user: options.user,
      of: options.of,
      speaker: options.speaker,
      dateOrder: options.dateOrder,
      timeZone: options.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
      now: Date.now(),
      by: 'command',
    }
    const opened = await openSources(files, io.stdin, options.format, settings)
    try {
      if (opened.exports.length > 0) return await restoreExports(io, opened.exports, options)
      return await rememberAll(io, opened.sources, options, settings)
    } finally {
      opened.close()
    }
  },
})

async function rememberAll(
  io: Io,
  sources: readonly ImportSource[],
  options: Options,
  settings: ImportSettings,
): Promise<Shown> {
  const progress = progressFor(io, options.json === true)
  const surveys = await surveySources(sources, settings, progress).finally(() => progress.stop())
  const emptyMessages = surveys.map(sayNothingFound).filter((message) => message !== null)
  if (emptyMessages.length === surveys.length) throw new CliError(emptyMessages.join('\n'), EXIT.failure)
  if (options.dryRun === true) return showSurveys(surveys, shownDb(options.db))
  const started = performance.now()
  const result = await remember(io, sources, { options, surveys, progress }).finally(() => progress.stop())
  const notes = surveys.flatMap((survey) => survey.notes)
  return showImport(shownDb(options.db), { ...result, notes, milliseconds: performance.now() - started })
}

/** Stores the turns and extracts facts. If that fails, removes a database that it created. */
async function remember(
  io: Io,
  sources: readonly ImportSource[],
  { options, surveys, progress }: { options: Options; surveys: readonly FileSurvey[]; progress: Progress },
) {
  const usesModel = options.model !== undefined
  const models = await openModels(io, options)
  const isNew = !existsSync(options.db)
  let isRecorded = false
  let storedTurns = 0
  const work = async (memory: Keepsake) => {
    if (surveys.some(({ statements }) => statements > 0)) requireUtterances(memory)
    const tally = new CallTally(memory)
    const { embedder } = await memory.stats()
    let embeddingFailure: string | null = null
    memory.on('background-failed', ({ error }) => {
      if (error.message.startsWith(embedder)) embeddingFailure ??= error.message
    })
    memory.on('turns-recorded', ({ turns }) => void (storedTurns += turns.length))
    const sourcesWithTotals = sources.map((source, index) => ({
      ...source,
      total: surveys[index]?.turns ?? 0,
    }))
    const imported = await importSources(memory, sourcesWithTotals, options, progress)
    isRecorded = true
    progress.wait('Extracting facts')
    await memory.drain()
    return {
      ...imported,
      model: usesModel ? tally.total : null,
      left: usesModel ? (await memory.jobs()).length : 0,
      embeddingFailure,
    }
  }
  const total = surveys.reduce((sum, { turns }) => sum + turns, 0)
  const signal = takeStopSignal()
  const stopped = signal.stopped.then((): never => {
    progress.stop()
    throw new CliError(describeStop(isRecorded ? total : storedTurns, total), EXIT.stopped)
  })
  return withOpened(options, (memory) => Promise.race([work(memory), stopped]), models)
    .catch((error: unknown) => {
      const isStopped = error instanceof CliError && error.exitCode === EXIT.stopped
      if (isNew && !isRecorded && !isStopped) discardDatabase(options.db)
      throw error
    })
    .finally(() => signal.release())
}

/** Describes what a stopped import has stored, and how to continue. */
function describeStop(storedTurns: number, total: number): string {
  const turnCount = formatCount(total, 'turn')
  return storedTurns < total
    ? `Stopped. ${storedTurns.toLocaleString('en')} of ${turnCount} are stored. Run the same command again to continue.`
    : `Stopped. All ${turnCount} are stored. The remaining facts are extracted when the database is next opened.`
}

/** Refuses presets that do not store utterances, because statements without a user's words would be lost. */
function requireUtterances({ preset }: Keepsake): void {
  const storesMessages = preset.branches.some((branch) => branch.kind === 'utterances')
  const replacesMessages = preset.branches.some(
    (branch) => branch.kind === 'story' && branch.takesIn === true,
  )
  if (storesMessages && !replacesMessages) return
  throw wrongUsage(
    `The preset ${preset.name} stores no messages, so statements such as Mem0's memories would be lost. Import them with --preset keepsake.`,
  )
}

interface ImportReport extends ImportResult {
  /** Calls of the language model; `null` without one. */
  readonly model: CallCount | null
  /** Jobs left because the model failed. */
  readonly left: number
  /** Why the embedding model gave no vectors; `null` if it gave all. */
  readonly embeddingFailure: string | null
  /** Skipped parts, and other notes on the files. */
  readonly notes: readonly string[]
  readonly milliseconds: number
}

function showImport(db: string, result: ImportReport): Shown {
  const { added, repeated, blocks, sessions, masked, users, model, left, notes, milliseconds } = result
  const { embeddingFailure } = result
  const [first] = users
  const people = users.length > 3 ? `${users.length} users` : users.join(', ')
  const whose = people === '' ? '' : ` of ${people}`
  const repeatedNote = repeated === 0 ? '' : `, ${repeated.toLocaleString('en')} were already stored`
  const blocksNote = blocks === 0 ? '' : `, and ${formatCount(blocks, 'block')} of the agent`
  const secrets = Object.entries(masked).map(([kind, times]) => `${times} × ${kind}`)
  const warnings = [
    ...(secrets.length === 0 ? [] : [`Masked before storage: ${secrets.join(', ')}.`]),
    ...notes,
    ...(left === 0
      ? []
      : [
          `${formatCount(left, 'job')} could not be finished. Nothing is lost; "keepsake jobs --db ${db}" shows why.`,
        ]),
    ...(embeddingFailure === null
      ? []
      : [
          `Vectors are missing: until the embedding model answers, these turns are found by words. ${embeddingFailure}`,
        ]),
  ]
  return {
    data: { db, ...result },
    formatText: ({ width, warn, dim }) =>
      [
        `Remembered ${formatCount(added, 'turn')} of ${formatCount(sessions, 'session')}${whose}${blocksNote} in ${db}${repeatedNote} (${formatMilliseconds(milliseconds)}).`,
        ...warnings.map((warning) => warn(wrap(warning, width))),
        ...(model === null ? [] : [dim(`The model: ${describeCalls(model)}.`)]),
        ...(first === undefined
          ? []
          : [dim(`Next: keepsake recall "…" --db ${db} --user ${/\s/u.test(first) ? `"${first}"` : first}`)]),
      ].join('\n'),
  }
}

/** Reads Keepsake's own exports back, row by row. */
async function restoreExports(io: Io, files: readonly InputFile[], options: Options): Promise<Shown> {
  if (options.dryRun === true) return showExports(files)
  const isNew = !existsSync(options.db)
  const models = await openModels(io, options)
  const { rows, missed } = await withOpened(
    options,
    async (memory) => {
      const restored = []
      for (const file of files) restored.push(...(await restoreFile(memory, file)))
      return { rows: restored, missed: await memory.erasuresSinceBackup() }
    },
    models,
  ).catch((error: unknown) => {
    if (isNew) discardDatabase(options.db)
    throw error
  })
  const users = [...new Set(rows.map((row) => row.user))]
  return {
    data: {
      db: shownDb(options.db),
      scopes: rows.map(({ tenant, user, agent, app }) => ({ tenant, user, agent, app })),
      missedErasures: missed.length,
    },
    formatText: () =>
      [
        `Restored ${users.join(', ')} (${formatCount(rows.length, 'scope')}) into ${shownDb(options.db)}.`,
        ...(missed.length === 0 ? [] : [describeErasures(missed.length)]),
      ].join('\n'),
  }
}

const describeErasures = (count: number): string =>
  `${formatCount(count, 'erasure')} happened after this data was exported. "keepsake erasures" lists what is present again, and erases it again with --repeat.`

/** Restores one export. @throws InvalidInputError that names the file, and the line if the engine names it */
async function restoreFile(memory: Keepsake, input: InputFile): Promise<readonly ScopeRow[]> {
  try {
    return await memory.import(input.lines().map(({ text }) => text))
  } catch (error) {
    if (!(error instanceof InvalidInputError) || error.details['line'] === undefined) throw error
    throw new InvalidInputError(
      `${input.name}:${error.details['line']}: ${error.message}`,
      error.details,
      error,
    )
  }
}

interface ImportOptions extends Readonly<SharedOptions['person']> {
  /** Whether the last session continues later. */
  readonly keepOpen?: boolean
}

/** Stores the turns of all sources in order. */
async function importSources(
  memory: Keepsake,
  sources: readonly (ImportSource & { readonly total: number })[],
  options: ImportOptions,
  progress: Progress,
): Promise<ImportResult> {
  let name = ''
  const turns = new TurnImport({
    scopeOf: (turn) => scopeOf(memory, name, turn, options),
    sessionGap: memory.preset.sessionGap,
    ...given({ keepOpen: options.keepOpen }),
    onRecorded: (count) => progress.add(count),
  })
  for (const source of sources) {
    name = source.name
    progress.start(`Storing ${name}`, source.total)
    await turns.record(source.turns(new LeftOut()))
  }
  progress.stop()
  return turns.result
}

/** Returns the scope of a turn. The options override the names in the file. */
function scopeOf(
  memory: Keepsake,
  source: string,
  turn: PlacedTurn,
  { user = turn.user ?? undefined, tenant, agent, app }: ImportOptions,
): ScopedMemory {
  if (user === undefined) throw wrongUsage(`${source} does not name a user: set one with --user.`)
  const otherNames = {
    tenant,
    agent: agent ?? turn.agent ?? undefined,
    app: app ?? turn.app ?? undefined,
  }
  return memory.scope({ user, ...given(otherNames) })
}
