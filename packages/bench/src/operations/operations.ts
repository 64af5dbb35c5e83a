import { z } from 'zod'
import { defineBenchmark, type Measurement, type Step } from '../benchmark/benchmark.ts'
import { oneOf, wholeNumber } from '../benchmark/options.ts'
import type { OpenedDataset } from '../datasets/conversation.ts'
import { openMemDialogue } from '../datasets/mem-dialogue.ts'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import type { Judge } from '../judges/judge.ts'
import { modelJudge } from '../judges/model-judge.ts'
import { entriesOf } from '../runs/figures/make-figures.ts'
import { summariseLog } from '../runs/figures/summarise-log.ts'
import { byConversation } from '../runs/measure-system.ts'
import { measureTheme, MODES, type Mode, type ThemeSetting } from './measure-theme.ts'

/** A count that no data reaches. */
const MAX_COUNT = 1_000_000
const SPLITS = ['test', 'train', 'all'] as const

/** Measures Table 1 of the MMM paper: its updater changes the right list of memories, and the list that it made itself. */
export const operations = defineBenchmark({
  name: 'operations',
  about:
    "Measures MMM's updater turn by turn: type, index and content of its operations. Before each turn the updater sees the correct list (gold) or its own (free). Needs a language model.",
  examples: [
    'operations --path mem-dialogue.jsonl --model openai:gpt-5-mini --judge openai:gpt-5 --json',
    'operations --path mem-dialogue.jsonl --mode gold --list-tokens 200 --model openai-compatible:http://127.0.0.1:8000/v1#mmm-7b',
  ],
  options: z.object({
    path: z.string().meta({ value: '<path>', description: 'a file in Mem_Dialogue’s format (.jsonl)' }),
    model: z.string().meta({ value: '<spec>', description: 'the language model that updates the list' }),
    judge: z.string().optional().meta({
      value: '<spec>',
      description: 'the model that judges contents',
      standard: 'judged by rule',
    }),
    mode: z
      .array(oneOf(MODES))
      .min(1)
      .default([...MODES])
      .meta({
        value: '<names>',
        description: "the list before each turn: the correct one (gold), or the updater's own (free)",
      }),
    split: oneOf(SPLITS)
      .default('test')
      .meta({ value: '<name>', description: 'the part of the data set to measure' }),
    listTokens: wholeNumber(1, MAX_COUNT).optional().meta({
      description: 'maximum tokens of the memories that are shown',
      standard: 'half of the model’s context window',
    }),
    limit: wholeNumber(1, MAX_COUNT).optional().meta({ description: 'maximum number of themes' }),
  }),
  async *open(
    { path, model: modelSpec, judge: judgeSpec, mode: modes, split, listTokens = null, limit },
    context,
  ) {
    const model = await context.openModel(modelSpec)
    for (const mode of modes) {
      const dataset = await openMemDialogue(path)
      const { language } = dataset
      const judge =
        judgeSpec === undefined
          ? deterministicJudge
          : modelJudge({ model: await context.openModel(judgeSpec), language })
      yield measurementOf(
        dataset,
        { model, judge, language, mode, listTokens },
        { split, limit: limit ?? MAX_COUNT },
      )
    }
  },
})

interface PartOfData {
  readonly split: (typeof SPLITS)[number]
  readonly limit: number
}

function measurementOf(dataset: OpenedDataset, setting: ThemeSetting, part: PartOfData): Measurement {
  const { judge, mode, model, listTokens } = setting
  const system = nameOf(mode)
  return {
    dataset: dataset.name,
    dataHash: dataset.dataHash,
    systems: [system],
    config: {
      mode,
      split: part.split,
      limit: part.limit,
      listTokens,
      model: model.id,
      judgeVersion: judge.version,
    },
    judge: judge.name,
    tasks: ['operations', 'cost'],
    repeatOptions: { mode: [mode] },
    resumes: 'until-finished',
    total: null,
    steps: stepsOf(dataset, setting, part),
    summarise: (log) => [{ system, figures: figuresOf(log, judge) }],
    countConversations: (log) => entriesOf(log, 'done').length,
    remarks: (log) => {
      const faults = entriesOf(log, 'failure').filter(({ where }) => where.startsWith('list after'))
      return faults.length === 0
        ? []
        : [`After ${faults.length} turns the next list that the updater saw was not the correct one.`]
    },
  }
}

function nameOf(mode: Mode): string {
  return mode === 'gold' ? 'mmm-gold-list' : 'mmm-own-list'
}

function figuresOf(log: Parameters<NonNullable<Measurement['summarise']>>[0], judge: Judge) {
  return summariseLog(byConversation(log), { judge: judge.name, reader: null }).filter(
    ({ task, metric }) => task === 'operations' || (task === 'cost' && !metric.includes('ms')),
  )
}

async function* stepsOf(
  dataset: OpenedDataset,
  setting: ThemeSetting,
  part: PartOfData,
): AsyncGenerator<Step> {
  let count = 0
  for await (const conversation of dataset.conversations()) {
    if (part.split !== 'all' && !conversation.name.startsWith(`${part.split}/`)) continue
    if (count >= part.limit) return
    count += 1
    yield { name: conversation.name, measure: () => measureTheme(conversation, setting) }
  }
}
