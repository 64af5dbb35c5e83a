import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnswerSource, CostReport, TalkSource } from '@keepsake/bench'
import { Command, Option } from 'commander'
import { PRESET_NAMES, type PresetName } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { debugOption, oneOrMoreOf, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { MODEL_FORMS } from '../model-options.ts'
import { print, printJson } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'

interface Options {
  readonly talk?: string
  readonly dataset?: 'locomo' | 'lufy' | 'memorybank'
  readonly path?: string
  readonly conversation: number
  readonly rounds?: number
  readonly preset?: PresetName[]
  readonly questions?: number
  readonly replies?: number
  readonly answers?: string
  readonly model?: string
  readonly record?: string
  readonly estimateTokens?: boolean
  readonly inspect?: string
  readonly json?: true | string
}

const MOST = 1_000_000
const DEFAULT_TALK = 'nadia-en'

export function benchCostCommand(io: Io): Command {
  return withSources(
    new Command('cost').description(
      'Measures what each preset asks of a language model to remember a talk, and what a recall hands to a reply. With recorded answers (the default) no model is needed.',
    ),
  )
    .option('--rounds <n>', 'rounds of the talk (default: 100)', wholeNumber(1, MOST))
    .option('--preset <names>', 'presets, separated by commas (default: all)', oneOrMoreOf(PRESET_NAMES))
    .option('--questions <n>', 'questions put to recall (default: all there are)', wholeNumber(0, MOST))
    .option('--replies <n>', 'questions that the model also replies to (default: 2)', wholeNumber(0, MOST))
    .option('--inspect <folder>', 'write what each preset made of the talk, a Markdown file each')
    .option('--json [file]', 'write the report as JSON to a file, or print it and nothing else')
    .addOption(debugOption())
    .addHelpText('after', `\nModels are given as:\n${MODEL_FORMS}`)
    .addHelpText(
      'after',
      examples(
        'keepsake bench cost',
        'keepsake bench cost --talk haoran-zh --preset keepsake,moom --inspect ./inspected',
        'keepsake bench cost --preset moom --model openai:gpt-5-mini --record ./answers',
      ),
    )
    .action((options: Options) => runCost(io, options))
}

/** Which talk is remembered, and who answers. */
function withSources(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--talk <name>',
        `a talk that is shipped (nadia-en, haoran-zh), or a file of turns (.jsonl); default: ${DEFAULT_TALK}`,
      ).conflicts('dataset'),
    )
    .addOption(
      new Option('--dataset <name>', 'a conversation of a published data set instead').choices([
        'locomo',
        'lufy',
        'memorybank',
      ]),
    )
    .option('--path <path>', "the data set's file (locomo, memorybank) or folder (lufy, memorybank)")
    .option('--conversation <n>', 'which of its conversations, from 1', wholeNumber(1, MOST), 1)
    .option('--answers <path>', "recorded answers: a .jsonl file, or a folder with each preset's")
    .addOption(new Option('--model <spec>', 'ask this language model').conflicts('answers'))
    .option(
      '--record <path>',
      'keep its answers there, a .jsonl file or a folder; what is there already is not asked again',
    )
    .option('--estimate-tokens', "do not believe the model's own count of tokens")
}

async function runCost(io: Io, options: Options): Promise<void> {
  const { rounds, questions, replies, preset, inspect, json } = options
  const { benchCost, inspectMemory } = await import('@keepsake/bench')
  const source = sourceOf(options)
  const answers = await answersOf(io, options, source)
  requireOneFile(answers, preset)
  if (inspect !== undefined) mkdirSync(inspect, { recursive: true })
  const progress = progressFor(io, json === true)
  const report = await benchCost({
    source,
    answers,
    ...(preset === undefined ? {} : { presets: preset }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(questions === undefined ? {} : { questions }),
    ...(replies === undefined ? {} : { replies }),
    onProgress: (name, share) => {
      if (share < 1) progress.follow(name)(Math.round(share * 100), 100)
      else progress.stop()
    },
    ...(inspect === undefined
      ? {}
      : {
          onMeasured: async (measured) => {
            writeFileSync(join(inspect, `${measured.preset}.md`), await inspectMemory(measured))
          },
        }),
  }).finally(progress.stop)
  await showCost(io, report, json)
}

function sourceOf({ talk, dataset, path, conversation }: Options): TalkSource {
  if (dataset === undefined) return { talk: talk ?? DEFAULT_TALK }
  if (path === undefined) throw wrongUsage('--dataset needs --path: where the data set is.')
  return { dataset, path, conversation }
}

async function answersOf(io: Io, options: Options, source: TalkSource): Promise<AnswerSource> {
  const { model: spec, record, answers, estimateTokens } = options
  const { shippedAnswers, withoutUsage } = await import('@keepsake/bench')
  if (spec !== undefined) {
    const { openModel } = await import('@keepsake/models')
    const opened = await openModel(spec, { env: io.env })
    const model = estimateTokens === true ? withoutUsage(opened) : opened
    return { kind: 'model', model, ...(record === undefined ? {} : { record }) }
  }
  if (record !== undefined) throw wrongUsage('--record needs --model: whose answers are to be recorded.')
  if (answers !== undefined) return { kind: 'recorded', path: answers }
  if ('talk' in source && !source.talk.endsWith('.jsonl'))
    return { kind: 'recorded', path: shippedAnswers(source.talk) }
  throw wrongUsage(
    'No answers are shipped for this talk: name recorded ones with --answers, or a model with --model.',
  )
}

/** A file holds the answers of one preset's run. */
function requireOneFile(answers: AnswerSource, presets: readonly PresetName[] | undefined): void {
  const path = answers.kind === 'recorded' ? answers.path : answers.record
  if (path?.endsWith('.jsonl') === true && presets?.length !== 1) {
    throw wrongUsage(`${path} is one preset's file: name that preset with --preset, or give a folder.`)
  }
}

async function showCost(io: Io, report: CostReport, json: true | string | undefined): Promise<void> {
  if (json === true) {
    printJson(io, report)
    return
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  const { renderCost } = await import('@keepsake/bench')
  print(io, renderCost(report).trimEnd())
}
