import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Option, type Command } from '@commander-js/extra-typings'
import { Command as Group } from 'commander'
import { wholeNumber } from '../read-values.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import type { Io } from '../io.ts'
import { loadGenerators } from '../load-package.ts'
import { show, type Shown } from '../output/print.ts'

const MAX_USERS = 1_000_000

export const generateCommand: MakeCommand = (io) =>
  new Group('generate')
    .summary('generate benchmark conversations')
    .description(
      'Generates benchmark conversations from templates. The same seed makes the same file. Figures on them are not comparable with those of a paper.',
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
  declareOutput(command).option(
    '--seed <n>',
    'the same seed makes the same file',
    wholeNumber(0, 0xffff_ffff),
    1,
  )

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
  examples: ['keepsake bench generate mem-dialogue --out mem-dialogue.jsonl --seed 1 --split test'],
  async run({ io, options }) {
    const { seed, language, themes: count, split } = options
    const { generateMemDialogue } = await loadGenerators()
    const { themes } = generateMemDialogue({ seed, language, themes: count })
    const records = themes.filter((theme) => split === 'all' || theme.split === split)
    write(io, options, { themes: records })
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
      .option('--sessions <n>', 'sessions per user, 5 to 70 (default: 20)', wholeNumber(5, 70))
      .option('--long', 'add irrelevant conversation within and between sessions'),
  examples: [
    'keepsake bench generate halumem --out halumem.jsonl --seed 1 --users 5 --sessions 20',
    'keepsake bench generate halumem --out halumem-long.jsonl --seed 1 --long --language zh',
  ],
  async run({ io, options }) {
    const { seed, language, users: count, sessions, split, long: isLong = false } = options
    const { generateHalumem } = await loadGenerators()
    const { users } = generateHalumem({ seed, language, split, isLong, users: count, sessions })
    write(io, options, { users })
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
    write(io, options, { probes: readProbeTable(options.language) })
  },
})

/** Writes records, named by what they are, a line each, and reports their number. */
function write(
  io: Io,
  { out: file, json }: { readonly out: string; readonly json?: boolean },
  named: Readonly<Record<string, readonly unknown[]>>,
): void {
  const [[name, records] = ['records', []]] = Object.entries(named)
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  writeFileSync(file, text)
  const formatText: Shown['formatText'] = ({ bold, dim }) =>
    [`${bold(file)}: ${records.length} ${name}`, dim(`sha256 ${sha256}`)].join('\n')
  show(io, { data: { file, sha256, [name]: records.length }, formatText }, json)
}
