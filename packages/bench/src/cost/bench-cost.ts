import { PRESET_NAMES, type PresetName } from 'keepsake'
import type { RecordingHeader } from '../recordings/recording.ts'
import { RecordingError } from '../recordings/recording-error.ts'
import { answerFile, chooseAnswers, type AnswerSource, type PresetModel } from './choose-answers.ts'
import { measurePreset, type Measured, type PresetCost } from './measure-preset.ts'
import { openTalk, type TalkSource } from './open-talk.ts'

const ROUNDS = 100
/** Few: a reply costs the same whatever the talk's length, and each may be written by hand. */
const REPLIES = 2
/** As `recall()` has it. */
export const CONTEXT_TOKENS = 1_000

export interface CostBenchOptions {
  readonly source: TalkSource
  readonly answers: AnswerSource
  /** All when absent; of recorded ones, those that are recorded. */
  readonly presets?: readonly PresetName[]
  /** Default 100, or what was recorded. */
  readonly rounds?: number
  /** Questions put to recall. Default all, or as many as when it was recorded. */
  readonly questions?: number
  /** Questions that the model also replies to. Default 2, or as many as when it was recorded. */
  readonly replies?: number
  /** Budget of the context. Default 1,000. */
  readonly tokens?: number
  readonly onProgress?: (preset: PresetName, share: number) => void
  readonly onMeasured?: (measured: Measured) => Promise<void>
}

/** Figures to compare with that were not run here. */
export interface CostBaseline {
  readonly name: string
  readonly source: string
  readonly callsPer100Rounds: number
  readonly charactersPerCall: number
  /** Characters at four a token. */
  readonly inputTokensPer100Rounds: number
}

/** One call for each exchange that is added; what came back was not measured. */
export const MEM0_LIKE: CostBaseline = {
  name: 'Mem0-like pipeline',
  source: "Mem0's npm package 3.3.1, prompt of one add as sent; measured apart, not run by this command.",
  callsPer100Rounds: 100,
  charactersPerCall: 35_600,
  inputTokensPer100Rounds: (100 * 35_600) / 4,
}

export interface PresetReport extends PresetCost {
  /** Whether the answers came from a recording. The time taken then says nothing and is left out. */
  readonly isReplayed: boolean
  readonly seconds: number | null
}

/** One benchmark run, as written with `--json`. */
export interface CostReport {
  readonly benchmark: 'cost'
  readonly dataset: string
  readonly dataHash: string
  readonly config: Readonly<Record<string, unknown>>
  readonly presets: readonly PresetReport[]
  readonly notMeasured: readonly { readonly preset: PresetName; readonly reason: string }[]
  readonly baseline: CostBaseline
}

/**
 * Measures what each preset asks of a language model to remember a talk, and what a recall hands to a reply. With recorded
 * answers nothing is asked of anyone, and the figures are the same on every machine.
 *
 * @throws DatasetError for the talk; RecordingError and ModelError when a recording is missing, damaged or stale, or
 * the model cannot be reached.
 */
export async function benchCost(options: CostBenchOptions): Promise<CostReport> {
  const { source, answers, tokens = CONTEXT_TOKENS } = options
  const talk = await openTalk(source)
  const presets: PresetReport[] = []
  const notMeasured: { preset: PresetName; reason: string }[] = []
  for (const preset of options.presets ?? PRESET_NAMES) {
    const command = recordingCommand(source, preset, answers.kind === 'recorded' ? answers.path : undefined)
    const chosen = chooseAnswers(answers, preset, aboutRun(talk.name, preset, options), command)
    if (chosen === null) {
      notMeasured.push({ preset, reason: `Nothing is recorded. Record it: ${command}` })
      continue
    }
    const { rounds, questions, replies } = sizesOf(options, chosen)
    const cost = await measurePreset({
      talk,
      preset,
      model: chosen.model,
      rounds,
      replies: chosen.asksModel ? replies : 0,
      tokens,
      ...(questions === null ? {} : { questions }),
      onProgress: (share) => options.onProgress?.(preset, share),
      ...(options.onMeasured === undefined ? {} : { onMeasured: options.onMeasured }),
    })
    requireWhole(answers, preset, chosen, command)
    chosen.done()
    const { isReplayed } = chosen
    const seconds = isReplayed ? null : cost.ingestionMs / 1000
    presets.push({ ...cost, isReplayed, seconds })
  }
  const [lacking] = notMeasured
  if (
    lacking !== undefined &&
    (options.presets !== undefined || presets.every(({ model }) => model === 'none'))
  )
    throw new RecordingError(recordedPath(answers, lacking.preset), lacking.reason)
  const config = {
    rounds: options.rounds ?? ROUNDS,
    contextTokens: tokens,
    answers: answers.kind === 'recorded' ? 'recorded' : answers.model.id,
  }
  const { name: dataset, dataHash } = talk
  return { benchmark: 'cost', dataset, dataHash, config, presets, notMeasured, baseline: MEM0_LIKE }
}

/** What is asked for, else what was recorded, else the default. */
function sizesOf(
  options: CostBenchOptions,
  { about }: PresetModel,
): { rounds: number; questions: number | null; replies: number } {
  const recorded = (name: string): number | null => {
    const value = about[name]
    return typeof value === 'number' ? value : null
  }
  return {
    rounds: options.rounds ?? recorded('rounds') ?? ROUNDS,
    questions: options.questions ?? recorded('questions'),
    replies: options.replies ?? recorded('replies') ?? REPLIES,
  }
}

function aboutRun(talk: string, preset: PresetName, options: CostBenchOptions): RecordingHeader['about'] {
  const { rounds = ROUNDS, questions, replies = REPLIES } = options
  return { talk, preset, rounds, replies, ...(questions === undefined ? {} : { questions }) }
}

/** The command that records a preset's answers; the model is left open. */
export function recordingCommand(source: TalkSource, preset: PresetName, path = 'FOLDER'): string {
  const what =
    'talk' in source
      ? `--talk ${source.talk}`
      : `--dataset ${source.dataset} --path ${source.path} --conversation ${source.conversation}`
  return `keepsake bench cost ${what} --preset ${preset} --model MODEL --record ${path}`
}

function recordedPath(answers: AnswerSource, preset: PresetName): string {
  return answers.kind === 'recorded' ? answerFile(answers.path, preset) : preset
}

/** A recall goes on without a model that fails it, so a stale recording need not have thrown by itself. */
function requireWhole(answers: AnswerSource, preset: PresetName, chosen: PresetModel, command: string): void {
  const missing = chosen.missing()
  if (missing.length === 0) return
  throw new RecordingError(
    recordedPath(answers, preset),
    `is stale: it has no answer to requests of ${missing.join(', ')}. Record it anew: ${command}`,
  )
}
