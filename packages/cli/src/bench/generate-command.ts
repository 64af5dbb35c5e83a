import { writeFileSync } from 'node:fs'
import { Option, type Command } from '@commander-js/extra-typings'
import type { Counts } from '@keepsake/bench-generators'
import { Command as Group } from 'commander'
import type { LanguageModel } from 'keepsake'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { wholeNumber } from '../read-values.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import type { Io } from '../io.ts'
import { loadGenerators, loadModels } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { show, table, type Shown } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'

const MAX_USERS = 1_000_000

export const generateCommand: MakeCommand = (io) =>
  new Group('generate')
    .summary('generate benchmark conversations')
    .description(
      'Generates benchmark conversations from templates or with a language model. The same seed makes the same file. Figures on them are not comparable with those of a paper.',
    )
    .addCommand(memDialogueCommand(io))
    .addCommand(halumemCommand(io))
    .addCommand(probeTableCommand(io))

const declareOutput = (command: Command) =>
  command
    .requiredOption('--out <file>', 'the output file (JSON Lines)')
    .addOption(
      new Option('--language <code>', 'language of the conversations').choices(['en', 'zh']).default('en'),
    )

const declareGeneration = (command: Command) =>
  declareOutput(command)
    .option('--seed <n>', 'the same seed makes the same file', wholeNumber(0, 0xffff_ffff), 1)
    .option('--model <spec>', 'use this language model instead of templates')

const memDialogueCommand = defineCommand({
  name: 'mem-dialogue',
  description:
    'Conversations that state ten memories of a user and later change or retract four (MMM, section 2.2).',
  sharedOptions: [],
  declare: (command) =>
    declareGeneration(command)
      .addOption(
        new Option('--split <name>', 'which themes to write')
          .choices(['train', 'test', 'all'])
          .default('all'),
      )
      .option('--themes <n>', 'how many themes (default: 100)', wholeNumber(1, 100)),
  details: MODEL_FORMS_HELP,
  examples: ['keepsake bench generate mem-dialogue --out mem-dialogue.jsonl --seed 1 --split test'],
  async run({ io, options }) {
    const { seed, language, themes: count, split, model, json = false } = options
    const { countThemes, generateMemDialogue } = await loadGenerators()
    const progress = progressFor(io, json)
    const { themes, failures } = await generateMemDialogue({
      seed,
      language,
      themes: count,
      model: await openWriter(io, model),
      onProgress: progress.follow('themes'),
    }).finally(progress.stop)
    const records = themes.filter((theme) => split === 'all' || theme.split === split)
    const failed = failures.map(({ theme, reason }) => ({ what: theme, reason }))
    return write(io, options, { records, counts: countThemes(records), failures: failed })
  },
})

const halumemCommand = defineCommand({
  name: 'halumem',
  description:
    "Sessions of fictional users with memory points, false claims and questions, in HaluMem's published format.",
  sharedOptions: [],
  declare: (command) =>
    declareGeneration(command)
      .addOption(
        new Option('--split <name>', 'which templates to use').choices(['train', 'test']).default('test'),
      )
      .option('--users <n>', 'number of users (default: 5)', wholeNumber(1, MAX_USERS))
      .option(
        '--sessions <n>',
        'sessions per user, 5 to 70 (default: 65 with --model, else 20)',
        wholeNumber(5, 70),
      )
      .option('--long', 'add irrelevant conversation within and between sessions'),
  details: MODEL_FORMS_HELP,
  examples: [
    'keepsake bench generate halumem --out halumem.jsonl --seed 1 --users 5 --sessions 20',
    'keepsake bench generate halumem --out halumem-long.jsonl --seed 1 --long --language zh',
  ],
  async run({ io, options }) {
    const { seed, language, users, sessions, long, split, model, json = false } = options
    const { countHalumem, generateHalumem } = await loadGenerators()
    const progress = progressFor(io, json)
    const generated = await generateHalumem({
      seed,
      language,
      split,
      variant: long === true ? 'long' : 'medium',
      users,
      sessions,
      model: await openWriter(io, model),
      onProgress: progress.follow('users'),
    }).finally(progress.stop)
    return write(io, options, {
      records: generated.users,
      counts: countHalumem(generated),
      failures: generated.failures,
    })
  },
})

const probeTableCommand = defineCommand({
  name: 'probe-table',
  description: 'Thirty independent remarks, each with a question and its answer (MOOM, H).',
  sharedOptions: [],
  declare: declareOutput,
  examples: ['keepsake bench generate probe-table --out probes.jsonl --language zh'],
  async run({ io, options }) {
    const { readProbeTable } = await loadGenerators()
    const records = readProbeTable(options.language)
    return write(io, options, { records, counts: { probes: records.length }, failures: [] })
  },
})

async function openWriter({ env }: Io, spec: string | undefined): Promise<LanguageModel | undefined> {
  return spec === undefined ? undefined : (await loadModels()).openModel(spec, { env })
}

interface GeneratedRecords {
  readonly records: readonly unknown[]
  readonly counts: Counts
  readonly failures: readonly { readonly what: string; readonly reason: string }[]
}

/** Writes the file and reports its contents and the failures of the model. Exits with code 1 if nothing was generated. */
async function write(
  io: Io,
  { out: file, json }: { readonly out: string; readonly json?: boolean },
  { records, counts, failures }: GeneratedRecords,
): Promise<void> {
  const { jsonLines, sha256: hash } = await loadGenerators()
  const text = jsonLines(records)
  const sha256 = hash(text)
  writeFileSync(file, text)
  showWritten(io, { file, sha256, counts, failures }, json)
  if (records.length === 0)
    throw new CliError(`Nothing was generated: ${failures[0]?.reason ?? ''}`, EXIT.failure)
}

interface WrittenFile extends Omit<GeneratedRecords, 'records'> {
  readonly file: string
  readonly sha256: string
}

function showWritten(
  io: Io,
  { file, sha256, counts, failures }: WrittenFile,
  json: boolean | undefined,
): void {
  const formatText: Shown['formatText'] = ({ bold, dim }) => {
    const rows = Object.entries(counts).map(([name, count]) => [name, bold(String(count))])
    const failed = failures.map(({ what, reason }) => `${what}: ${reason}`)
    return [bold(file), table([], rows, [1]), dim(`sha256 ${sha256}`), ...failed].join('\n')
  }
  show(io, { data: { file, sha256, counts, failures }, formatText }, json)
}
