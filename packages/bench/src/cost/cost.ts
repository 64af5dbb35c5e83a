import { relative } from 'node:path'
import { PRESET_NAMES, type PresetName } from '@keepsake/papers'
import { z } from 'zod'
import { defineBenchmark, stepEntry, type BenchContext, type Step } from '../benchmark/benchmark.ts'
import { OptionError, oneOf, wholeNumber } from '../benchmark/options.ts'
import { loadOwnTalk, type Talk } from '../datasets/own-talk.ts'
import { ALL, type Figure } from '../log/figure.ts'
import type { LogEntry } from '../log/log-entry.ts'
import { RecordingError, type RecordingHeader } from '../recordings/recording.ts'
import { plainFigures } from '../results/plain-figures.ts'
import {
  answerFile,
  chooseAnswers,
  isRecorded,
  shippedAnswers,
  type AnswerSource,
  type PresetModel,
} from './choose-answers.ts'
import { measurePreset, type PresetCost, type PhaseCost } from './measure-preset.ts'
import type { CallCost } from '../recordings/meter.ts'

/** A count that no talk reaches. */
const MAX_COUNT = 1_000_000
const DEFAULT_TALK = 'nadia-en'
const DEFAULT_ROUNDS = 100
/** Two replies are enough, because a reply costs the same at any length of the talk. */
const REPLY_COUNT = 2
/** The token budget of a context, as `recall()` has by default. */
export const CONTEXT_TOKENS = 1_000

const number = (minimum: number, description: string, standard: string) =>
  wholeNumber(minimum, MAX_COUNT).optional().meta({ description, standard })
const path = (value: string, description: string) => z.string().optional().meta({ value, description })

const optionsSchema = z.object({
  talk: z.string().optional().meta({
    value: '<name>',
    description: 'a shipped conversation (nadia-en, haoran-zh), or a file of turns (.jsonl)',
    standard: DEFAULT_TALK,
  }),
  answers: path('<path>', 'recorded answers: a .jsonl file, or a folder with one file per preset'),
  model: path('<spec>', 'call this language model'),
  record: path('<path>', 'record its answers in this .jsonl file or folder; recorded answers are reused'),
  rounds: number(1, 'number of rounds of the conversation', `${DEFAULT_ROUNDS}, or as many as were recorded`),
  preset: z
    .array(oneOf(PRESET_NAMES))
    .min(1)
    .optional()
    .meta({ value: '<names>', description: 'presets', standard: 'all' }),
  questions: number(0, 'number of questions for recall', 'all'),
  replies: number(
    0,
    'number of questions to which the model also replies',
    `${REPLY_COUNT}, or as many as were recorded`,
  ),
})

type Options = z.output<typeof optionsSchema>

/** Measures how many model calls and tokens each preset needs. */
export const cost = defineBenchmark({
  name: 'cost',
  about:
    'Measures the model calls with which each preset remembers a conversation, and the context that recall gives to a reply. With recorded answers (the default) no model is needed.',
  examples: [
    'cost',
    'cost --talk haoran-zh --preset keepsake,moom',
    'cost --preset moom --model openai:gpt-5-mini --record ./answers',
  ],
  options: optionsSchema,
  async *open(options, context) {
    const { talk: name = DEFAULT_TALK } = options
    const answers = await findAnswers(options, name, context)
    requireOneFile(answers, options.preset)
    const talk = await loadOwnTalk(name)
    const { presets, lacking } = choosePresets(answers, name, options.preset)
    const { rounds = DEFAULT_ROUNDS } = options
    yield {
      dataset: talk.name,
      dataHash: talk.dataHash,
      systems: presets,
      config: {
        rounds,
        questions: options.questions ?? null,
        replies: options.replies ?? null,
        contextTokens: CONTEXT_TOKENS,
        answers: answers.kind === 'recorded' ? 'recorded' : answers.model.id,
        notMeasured: lacking.map(({ preset }) => preset),
      },
      tasks: ['remembering', 'recalling', 'model-calls'],
      resumes: 'never',
      total: null,
      steps: presets.map((preset) => presetStep({ talk, preset, name, answers, options })),
      summarise: (log) => costsOf(log).map((one) => ({ system: one.preset, figures: presetFigures(one) })),
      remarks: (log) => [
        ...lacking.map(({ preset, reason }) => `${preset} is not measured. ${reason}`),
        describeCounting(costsOf(log)),
      ],
    }
  },
})

/** Finds the source of the model's answers. @throws OptionError for options that contradict each other */
async function findAnswers(
  { model: spec, record, answers }: Options,
  talk: string,
  { openModel }: BenchContext,
): Promise<AnswerSource> {
  if (spec !== undefined) {
    if (answers !== undefined) throw new OptionError('--answers cannot be used with --model.')
    const model = await openModel(spec)
    return { kind: 'model', model, ...(record === undefined ? {} : { record }) }
  }
  if (record !== undefined)
    throw new OptionError('--record needs --model, the model whose answers are recorded.')
  if (answers !== undefined) return { kind: 'recorded', path: answers }
  if (!talk.endsWith('.jsonl')) return { kind: 'recorded', path: shippedAnswers(talk) }
  throw new OptionError(
    'No answers are shipped for this conversation. Name recorded ones with --answers, or a model with --model.',
  )
}

/** Requires a single preset if the answers are in one file. */
function requireOneFile(answers: AnswerSource, presets: readonly PresetName[] | undefined): void {
  const file = answers.kind === 'recorded' ? answers.path : answers.record
  if (file?.endsWith('.jsonl') === true && presets?.length !== 1)
    throw new OptionError(
      `${file} is the file of one preset. Name that preset with --preset, or pass a folder.`,
    )
}

/** Splits presets into measurable ones and those without a recording. @throws RecordingError when they were requested by name */
function choosePresets(answers: AnswerSource, talk: string, requested: readonly PresetName[] | undefined) {
  const chosen = requested ?? PRESET_NAMES
  const presets = chosen.filter((preset) => isRecorded(answers, preset) !== 'no')
  const lacking = chosen
    .filter((preset) => !presets.includes(preset))
    .map((preset) => ({
      preset,
      reason: `Nothing is recorded. Record it: ${recordingCommand(talk, preset, pathOf(answers))}`,
    }))
  const [first] = lacking
  const isNothingRecorded = presets.every((preset) => isRecorded(answers, preset) === 'not needed')
  if (first !== undefined && (requested !== undefined || isNothingRecorded))
    throw new RecordingError(answerFile(pathOf(answers) ?? '', first.preset), first.reason)
  return { presets, lacking }
}

interface PresetRun {
  readonly talk: Talk
  readonly preset: PresetName
  readonly name: string
  readonly answers: AnswerSource
  readonly options: Options
}

/** Makes the step that measures one preset. */
function presetStep(run: PresetRun): Step {
  const { talk, preset, name, answers, options } = run
  const { rounds = DEFAULT_ROUNDS, questions, replies = REPLY_COUNT } = options
  const about = {
    talk: talk.name,
    preset,
    rounds,
    replies,
    ...(questions === undefined ? {} : { questions }),
  }
  return {
    name: preset,
    async measure(say) {
      const command = recordingCommand(name, preset, pathOf(answers))
      const chosen = chooseAnswers(answers, preset, about, command)
      const sizes = sizesOf(options, chosen)
      const cost = await measurePreset({
        talk,
        preset,
        model: chosen.model,
        ...sizes,
        replies: chosen.asksModel ? sizes.replies : 0,
        tokens: CONTEXT_TOKENS,
        isReplayed: chosen.isReplayed,
        say,
      })
      requireAll(answers, preset, chosen, command)
      chosen.done()
      return [stepEntry(preset, [], cost)]
    },
  }
}

/** Chooses how much is measured: as requested, else as recorded, else by default. */
function sizesOf(options: Options, { about }: PresetModel) {
  const recorded = (name: keyof RecordingHeader['about']): number | undefined => {
    const value = about[name]
    return typeof value === 'number' ? value : undefined
  }
  const questions = options.questions ?? recorded('questions')
  return {
    rounds: options.rounds ?? recorded('rounds') ?? DEFAULT_ROUNDS,
    ...(questions === undefined ? {} : { questions }),
    replies: options.replies ?? recorded('replies') ?? REPLY_COUNT,
  }
}

/** Writes the command that records a preset's answers. The user puts in the model. */
export function recordingCommand(talk: string, preset: PresetName, folder = 'FOLDER'): string {
  return `keepsake bench cost --talk ${talk} --preset ${preset} --model MODEL --record ${folder}`
}

function pathOf(answers: AnswerSource): string | undefined {
  return answers.kind === 'recorded' ? relative(process.cwd(), answers.path) || '.' : undefined
}

/** Requires that no answer was missing. A recall continues without its model, so an outdated recording may not have thrown. */
function requireAll(answers: AnswerSource, preset: PresetName, chosen: PresetModel, command: string): void {
  const missing = chosen.missing()
  if (missing.length === 0) return
  throw new RecordingError(
    answerFile(pathOf(answers) ?? '', preset),
    `is stale: it has no answer to requests of ${missing.join(', ')}. Record it again: ${command}`,
  )
}

function costsOf(log: readonly LogEntry[]): PresetCost[] {
  return log.flatMap((one) => (one.entry === 'step' ? [one.records as PresetCost] : []))
}

/** Describes whether tokens were counted by the provider or estimated. */
function describeCounting(costs: readonly PresetCost[]): string {
  const sum = (field: 'calls' | 'estimated'): number =>
    costs.reduce((total, { ingestion }) => total + ingestion.total[field], 0)
  const calls = sum('calls')
  const estimated = sum('estimated')
  if (estimated === 0) return 'Tokens are as the provider counted them.'
  if (estimated === calls)
    return "Tokens are Keepsake's estimate: four characters each, one for a Chinese character."
  return `Tokens are as the provider counted them. Those of ${estimated} of ${calls} calls are estimated.`
}

/** Makes the figures of a preset's cost: remembering per 100 rounds (exchanges), recalling, and each prompt. */
function presetFigures(cost: PresetCost): Figure[] {
  const { ingestion, recalling, replying } = cost
  return [
    ...rememberingFigures(cost),
    ...recallingFigures(cost),
    ...callFigures('remembering', ingestion),
    ...callFigures('recalling', recalling),
    ...callFigures('replying', replying),
  ]
}

function rememberingFigures(cost: PresetCost): Figure[] {
  const { ingestion, rounds, turns, sessions, memories } = cost
  const { calls, inputTokens, outputTokens, inputCharacters, repaired, unusable } = ingestion.total
  const per100 = (value: number): number => (100 * value) / Math.max(1, rounds)
  const memoryCounts = Object.entries(memories).map(([form, count]) => [`memories_${form}`, count] as const)
  return plainFigures('remembering', ALL, {
    calls_per_100_rounds: per100(calls),
    input_tokens_per_100_rounds: per100(inputTokens),
    output_tokens_per_100_rounds: per100(outputTokens),
    characters_per_call: calls === 0 ? null : inputCharacters / calls,
    repaired,
    unusable,
    rejected_operations: cost.rejectedOperations,
    quarantined: cost.quarantined,
    unfinished_jobs: cost.unfinishedJobs,
    failures: cost.failures,
    not_summarised: cost.notSummarised,
    rounds,
    turns,
    sessions,
    ...Object.fromEntries(memoryCounts),
    ingestion_ms: cost.ingestionMs,
  })
}

function recallingFigures({ recall, recalling, replying, replies, questionsLeftOut }: PresetCost): Figure[] {
  const replied = {
    replies,
    input_tokens_per_reply: replies === 0 ? null : replying.total.inputTokens / replies,
    questions_left_out: questionsLeftOut,
  }
  if (recall === null) return plainFigures('recalling', ALL, replied)
  const { questions, tokens, memories, turns, evidence } = recall
  const hasEvidence = turns > 0 && evidence.questions > 0
  return plainFigures('recalling', ALL, {
    questions,
    context_tokens_mean: tokens.mean,
    context_tokens_p95: tokens.p95,
    context_tokens_max: tokens.max,
    memories,
    turns,
    evidence_questions: evidence.questions,
    any_evidence: hasEvidence ? evidence.any : null,
    all_evidence: hasEvidence ? evidence.all : null,
    calls_per_recall: recalling.total.calls / questions,
    ...replied,
  })
}

function callFigures(work: string, { total, byPrompt }: PhaseCost): Figure[] {
  return [
    ...callsOf(`work:${work}`, total),
    ...Object.entries(byPrompt).flatMap(([prompt, cost]) => callsOf(`prompt:${work}, ${prompt}`, cost)),
  ]
}

function callsOf(slice: string, cost: CallCost): Figure[] {
  return plainFigures('model-calls', slice, {
    calls: cost.calls,
    input_tokens: cost.inputTokens,
    output_tokens: cost.outputTokens,
    estimated: cost.estimated,
    input_characters: cost.inputCharacters,
    output_characters: cost.outputCharacters,
    repaired: cost.repaired,
    unusable: cost.unusable,
    failed: cost.failed,
  })
}
