import { writeFileSync } from 'node:fs'
import { Option, type Command } from '@commander-js/extra-typings'
import type { Counts } from '@keepsake/bench-generators'
import { Command as Group } from 'commander'
import type { LanguageModel } from 'keepsake'
import { CliError } from '../cli-error.ts'
import { wholeNumber } from '../read-values.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import type { Io } from '../io.ts'
import { loadGenerators, loadModels } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { show, table, type Shown } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'

const MOST = 1_000_000

export const generateCommand: MakeCommand = (io) =>
  new Group('generate')
    .summary('make talk to measure with')
    .description(
      'Makes sets of talk to measure with, from templates of our own or with a language model. The same seed makes the same file. Figures on them are never put beside those of a paper.',
    )
    .addCommand(memDialogueCommand(io))
    .addCommand(halumemCommand(io))
    .addCommand(longCommand(io))
    .addCommand(probeTableCommand(io))

const aFile = (command: Command) =>
  command
    .requiredOption('--out <file>', 'where the JSON lines are written')
    .addOption(new Option('--language <code>', 'language of the talk').choices(['en', 'zh']).default('en'))

const talk = (command: Command) =>
  aFile(command)
    .option('--seed <n>', 'the same seed makes the same file', wholeNumber(0, 0xffff_ffff), 1)
    .option('--model <spec>', 'let this language model write, instead of templates')

const memDialogueCommand = defineCommand({
  name: 'mem-dialogue',
  description:
    'Talks in which ten memories of a person are told and four are changed or dropped later (MMM, section 2.2).',
  takes: [],
  declare: (command) =>
    talk(command)
      .addOption(
        new Option('--split <name>', 'which of the themes are written')
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
    const told = failures.map(({ theme, reason }) => ({ what: theme, reason }))
    return write(io, options, { records, counts: countThemes(records), failures: told })
  },
})

const halumemCommand = defineCommand({
  name: 'halumem',
  description:
    "Sessions of made-up people with memory points, false claims and questions, in HaluMem's published form.",
  takes: [],
  declare: (command) =>
    talk(command)
      .addOption(
        new Option('--split <name>', 'whose templates are used').choices(['train', 'test']).default('test'),
      )
      .option('--users <n>', 'how many people (default: 5; with --from, all there are)', wholeNumber(1, MOST))
      .option(
        '--sessions <n>',
        'sessions of each, 5 to 40 (default: 20; with --from, all there are)',
        wholeNumber(5, 500),
      )
      .option('--long', 'put irrelevant talk into the sessions and between them')
      .option('--from <folder>', "start from HaluMem's published files of stages 1 to 3"),
  details: MODEL_FORMS_HELP,
  examples: [
    'keepsake bench generate halumem --out halumem.jsonl --seed 1 --users 5 --sessions 20',
    'keepsake bench generate halumem --out halumem-long.jsonl --seed 1 --long --language zh',
    'keepsake bench generate halumem --out derived.jsonl --seed 1 --from ./halumem-stages',
  ],
  async run({ io, options }) {
    const { seed, language, users, sessions, long, from, split, model, json = false } = options
    const { countHalumem, generateHalumem } = await loadGenerators()
    const progress = progressFor(io, json)
    const made = await generateHalumem({
      seed,
      language,
      split,
      variant: long === true ? 'long' : 'medium',
      users,
      sessions,
      from,
      model: await openWriter(io, model),
      onProgress: progress.follow('users'),
    }).finally(progress.stop)
    return write(io, options, { records: made.users, counts: countHalumem(made), failures: made.failures })
  },
})

const longCommand = defineCommand({
  name: 'halumem-long',
  description:
    "HaluMem's Long variant of any file in its form, filled to a number of tokens with questions and answers of your own; what was stopped goes on.",
  takes: [],
  declare: (command) =>
    command
      .requiredOption('--from <file>', "a file in HaluMem's form: the published Medium, or one that was made")
      .requiredOption('--corpus <folder>', 'JSON lines, a question and its answer a line; a file is a source')
      .requiredOption('--out <file>', 'where the JSON lines are written, a user at a time')
      .option(
        '--target-tokens <n>',
        "tokens of each user's talk (default: 1007265, HaluMem-Long's average)",
        wholeNumber(1, 1_000_000_000),
      )
      .option('--seed <n>', 'the same seed makes the same file', wholeNumber(0, 0xffff_ffff), 1),
  examples: [
    'keepsake bench generate halumem-long --from HaluMem-Medium.jsonl --corpus ./qa --out long.jsonl',
    'keepsake bench generate halumem-long --from halumem.jsonl --corpus ./qa --target-tokens 100000 --out long.jsonl',
  ],
  async run({ io, options }) {
    const { from, corpus, out, targetTokens: tokens, seed, json = false } = options
    const { generateLong, sha256OfFile } = await loadGenerators()
    const progress = progressFor(io, json)
    const follow = progress.follow('users')
    const users = await generateLong({
      from,
      corpus,
      out,
      tokens,
      seed,
      onProgress: (done) => follow(done, done),
    }).finally(progress.stop)
    const total = (of: 'sessions' | 'insertedSessions' | 'rounds' | 'tokens'): number =>
      users.reduce((sum, user) => sum + user[of], 0)
    const counts = {
      users: users.length,
      sessions: total('sessions'),
      insertedSessions: total('insertedSessions'),
      rounds: total('rounds'),
      tokens: total('tokens'),
    }
    tell(io, { file: out, sha256: await sha256OfFile(out), counts, failures: [] }, json)
  },
})

const probeTableCommand = defineCommand({
  name: 'probe-table',
  description: 'Thirty independent things said in passing, each with a question and its answer (MOOM, H).',
  takes: [],
  declare: aFile,
  examples: ['keepsake bench generate probe-table --out probes.jsonl --language zh'],
  async run({ io, options }) {
    const { readProbeTable } = await loadGenerators()
    const records = readProbeTable(options.language)
    return write(io, options, { records, counts: { probes: records.length }, failures: [] })
  },
})

/** Who writes instead of templates. */
async function openWriter({ env }: Io, spec: string | undefined): Promise<LanguageModel | undefined> {
  return spec === undefined ? undefined : (await loadModels()).openModel(spec, { env })
}

/** What was made, as it is written and told. */
interface Made {
  readonly records: readonly unknown[]
  readonly counts: Counts
  readonly failures: readonly { readonly what: string; readonly reason: string }[]
}

/** Writes the file and says what is in it. What a model could not make is told, and ends with exit code 1 if it is all. */
async function write(
  io: Io,
  { out: file, json }: { readonly out: string; readonly json?: boolean },
  { records, counts, failures }: Made,
): Promise<void> {
  const { jsonLines, sha256: hash } = await loadGenerators()
  const text = jsonLines(records)
  const sha256 = hash(text)
  writeFileSync(file, text)
  tell(io, { file, sha256, counts, failures }, json)
  if (records.length === 0) throw new CliError(`Nothing could be made: ${failures[0]?.reason ?? ''}`, 1)
}

/** What a file holds that was made. */
interface Written extends Omit<Made, 'records'> {
  readonly file: string
  readonly sha256: string
}

function tell(io: Io, { file, sha256, counts, failures }: Written, json: boolean | undefined): void {
  const words: Shown['words'] = ({ bold, dim }) => {
    const rows = Object.entries(counts).map(([name, count]) => [name, bold(String(count))])
    const told = failures.map(({ what, reason }) => `${what}: ${reason}`)
    return [bold(file), table([], rows, [1]), dim(`sha256 ${sha256}`), ...told].join('\n')
  }
  show(io, { data: { file, sha256, counts, failures }, words }, json)
}
