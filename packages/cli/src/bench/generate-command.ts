import { writeFileSync } from 'node:fs'
import type { Counts } from '@keepsake/bench-generators'
import { Command, Option } from 'commander'
import type { LanguageModel } from 'keepsake'
import { CliError, wrongUsage } from '../cli-error.ts'
import { debugOption, jsonOption, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { loadGenerators, loadModels } from '../load-package.ts'
import { MODEL_FORMS_HELP } from '../model-options.ts'
import { print, printJson, table } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'
import { styleFor } from '../output/style.ts'

interface Options {
  readonly out: string
  readonly seed: number
  readonly language: 'en' | 'zh'
  readonly split: 'train' | 'test' | 'all'
  readonly model?: string
  readonly json?: boolean
}

interface MemDialogueOptions extends Options {
  readonly themes?: number
}

interface HalumemOptions extends Options {
  readonly users?: number
  readonly sessions?: number
  readonly long?: boolean
  readonly from?: string
}

/** What was made, as it is written and told. */
interface Made {
  readonly records: readonly unknown[]
  readonly counts: Counts
  readonly failures: readonly { readonly what: string; readonly reason: string }[]
}

const MOST = 1_000_000

export function generateCommand(io: Io): Command {
  return new Command('generate')
    .summary('make talk to measure with')
    .description(
      'Makes sets of talk to measure with, from templates of our own or with a language model. The same seed makes the same file. Figures on them are never put beside those of a paper.',
    )
    .addCommand(memDialogueCommand(io))
    .addCommand(halumemCommand(io))
    .addCommand(probeTableCommand(io))
}

function memDialogueCommand(io: Io): Command {
  return withModel(
    withCommon(
      new Command('mem-dialogue').description(
        'Talks in which ten memories of a person are told and four are changed or dropped later (MMM, section 2.2).',
      ),
    ).addOption(splitOption('which of the themes are written', 'all').choices(['train', 'test', 'all'])),
  )
    .option('--themes <n>', 'how many themes (default: 100)', wholeNumber(1, 100))
    .addHelpText(
      'after',
      examples('keepsake bench generate mem-dialogue --out mem-dialogue.jsonl --seed 1 --split test'),
    )
    .action((options: MemDialogueOptions) => runMemDialogue(io, options))
}

function halumemCommand(io: Io): Command {
  return withModel(
    withCommon(
      new Command('halumem').description(
        "Sessions of made-up people with memory points, false claims and questions, in HaluMem's published form.",
      ),
    ).addOption(splitOption('whose templates are used', 'test').choices(['train', 'test'])),
  )
    .option('--users <n>', 'how many people (default: 5; with --from, all there are)', wholeNumber(1, MOST))
    .option(
      '--sessions <n>',
      'sessions of each, 5 to 40 (default: 20; with --from, all there are)',
      wholeNumber(5, 500),
    )
    .option('--long', 'put irrelevant talk into the sessions and between them')
    .option('--from <folder>', "start from HaluMem's published files of stages 1 to 3")
    .addHelpText(
      'after',
      examples(
        'keepsake bench generate halumem --out halumem.jsonl --seed 1 --users 5 --sessions 20',
        'keepsake bench generate halumem --out halumem-long.jsonl --seed 1 --long --language zh',
        'keepsake bench generate halumem --out derived.jsonl --seed 1 --from ./halumem-stages',
      ),
    )
    .action((options: HalumemOptions) => runHalumem(io, options))
}

function probeTableCommand(io: Io): Command {
  return new Command('probe-table')
    .description('Thirty independent things said in passing, each with a question and its answer (MOOM, H).')
    .requiredOption('--out <file>', 'where the JSON lines are written')
    .addOption(languageOption())
    .addOption(jsonOption())
    .addOption(debugOption())
    .addHelpText('after', examples('keepsake bench generate probe-table --out probes.jsonl --language zh'))
    .action(async (options: Options) => {
      const { readProbeTable } = await loadGenerators()
      const records = readProbeTable(options.language)
      await write(io, options, { records, counts: { probes: records.length }, failures: [] })
    })
}

function withCommon(command: Command): Command {
  return command
    .requiredOption('--out <file>', 'where the JSON lines are written')
    .option('--seed <n>', 'the same seed makes the same file (default: 1)', wholeNumber(0, 0xffff_ffff), 1)
    .addOption(languageOption())
    .addOption(jsonOption())
    .addOption(debugOption())
}

function withModel(command: Command): Command {
  return command
    .option('--model <spec>', 'let this language model write, instead of templates')
    .addHelpText('after', MODEL_FORMS_HELP)
}

const languageOption = (): Option =>
  new Option('--language <code>', 'language of the talk').choices(['en', 'zh']).default('en')

const splitOption = (what: string, standard: string): Option =>
  new Option('--split <name>', what).default(standard)

/** Who writes instead of templates. */
async function openWriter(io: Io, spec: string | undefined): Promise<LanguageModel | undefined> {
  return spec === undefined ? undefined : (await loadModels()).openModel(spec, { env: io.env })
}

async function runMemDialogue(io: Io, options: MemDialogueOptions): Promise<void> {
  const { seed, language, themes: count, split, model, json } = options
  const { countThemes, generateMemDialogue } = await loadGenerators()
  const progress = progressFor(io, json === true)
  const { themes, failures } = await generateMemDialogue({
    seed,
    language,
    themes: count,
    model: await openWriter(io, model),
    onProgress: progress.follow('themes'),
  }).finally(progress.stop)
  const records = themes.filter((theme) => split === 'all' || theme.split === split)
  const told = failures.map(({ theme, reason }) => ({ what: theme, reason }))
  await write(io, options, { records, counts: countThemes(records), failures: told })
}

async function runHalumem(io: Io, options: HalumemOptions): Promise<void> {
  const { seed, language, users, sessions, long, from, split, model, json } = options
  const { countHalumem, generateHalumem } = await loadGenerators()
  if (split === 'all') throw wrongUsage('--split all is for mem-dialogue: a HaluMem set is of one split.')
  const progress = progressFor(io, json === true)
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
  await write(io, options, { records: made.users, counts: countHalumem(made), failures: made.failures })
}

/** Writes the file and says what is in it. What a model could not make is told, and ends with exit code 1 if it is all. */
async function write(io: Io, { out, json }: Options, { records, counts, failures }: Made): Promise<void> {
  const { jsonLines, sha256 } = await loadGenerators()
  const text = jsonLines(records)
  writeFileSync(out, text)
  const hash = sha256(text)
  if (json === true) printJson(io, { file: out, sha256: hash, counts, failures })
  else {
    const style = styleFor(io)
    const rows = Object.entries(counts).map(([name, count]) => [name, style.bold(String(count))])
    print(io, style.bold(out), table([], rows, [1]), style.dim(`sha256 ${hash}`))
    for (const { what, reason } of failures) print(io, `${what}: ${reason}`)
  }
  if (records.length === 0) throw new CliError(`Nothing could be made: ${failures[0]?.reason ?? ''}`, 1)
}
