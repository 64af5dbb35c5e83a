// Refuses options of openMemory() that the chosen preset cannot use.
import { InvalidInputError } from '@keepsake/text'
import type { EngineOptions } from '../open-options.ts'
import type { Preset } from './preset.ts'
import type { LanguageModel } from '../models/language-model.ts'
import { MODEL_TASKS, type ModelTask, type TaskModels } from '../models/ask-model.ts'

/** Options that some presets cannot use. {@link checkTaskModels} checks `models`, `findPreset` checks `updater`. */
export type PresetOption = (typeof PRESET_OPTIONS)[number]
export const PRESET_OPTIONS = [
  'embedding',
  'reranking',
  'arousal',
  'surprise',
  'importance',
  'rules',
  'exchangesPerExtraction',
  'guidelines',
  'categories',
  'keys',
] as const satisfies readonly (keyof EngineOptions)[]

/** Why a preset cannot use an option, as the end of an error message. */
const UNUSED_REASONS: Readonly<Record<PresetOption, string>> = {
  embedding: 'it hands over all there is and searches for nothing',
  reranking: 'it does not reorder what was found',
  arousal: 'it measures nothing of what is said',
  surprise: 'it measures nothing of what is said',
  importance: 'it measures nothing of what is said',
  rules: 'it reads neither facts nor requests',
  exchangesPerExtraction: 'no language model reads the talk for it',
  guidelines: 'it keeps nothing but messages',
  categories: 'it extracts no facts',
  keys: 'it extracts no facts',
}

/** Checks by the record of a preset whether it can use an option. */
function canUse({ branches, ranking }: Preset, option: PresetOption): boolean {
  const extractors = branches.flatMap((branch) => (branch.kind === 'facts' ? [branch.extractor] : []))
  switch (option) {
    case 'embedding':
      return ranking.kind !== 'whole'
    case 'reranking':
      return ranking.kind === 'hybrid' && (ranking.rerank ?? 0) > 1
    case 'arousal':
    case 'surprise':
    case 'importance':
      return branches.some((branch) => branch.kind === 'utterances' && branch.isMeasured !== false)
    case 'rules':
    case 'categories':
    case 'keys':
      return extractors.length > 0
    case 'guidelines':
      return branches.some(({ kind }) => kind !== 'utterances')
    case 'exchangesPerExtraction':
      return extractors.some(({ prompt }) => prompt !== undefined)
  }
}

/** Returns why a preset cannot use an option, as a clause; `null` if it can. */
export function whyUnused(preset: Preset, option: PresetOption): string | null {
  return canUse(preset, option) ? null : UNUSED_REASONS[option]
}

/** Refuses options that the preset would ignore, and two branches of one kind. @throws InvalidInputError */
export function checkOptions(preset: Preset, options: EngineOptions): void {
  const kinds = preset.branches.map(({ kind }) => kind)
  const repeated = kinds.find((kind, index) => kinds.indexOf(kind) !== index)
  if (repeated !== undefined)
    throw new InvalidInputError(
      `Preset ${preset.name} has two branches of kind ${repeated}. Join them in one.`,
    )
  for (const option of PRESET_OPTIONS) {
    if (options[option] === undefined) continue
    const why = whyUnused(preset, option)
    if (why !== null)
      throw new InvalidInputError(
        `${option} would have no effect: preset ${preset.name} cannot use it, since ${why}. Leave it out, or choose another preset.`,
        { preset: preset.name, option },
      )
  }
  checkTaskModels(preset, options)
}

/** Returns the tasks for which a preset calls a language model. Every preset can call one for replies. */
export function tasksOfPreset(preset: Preset): ReadonlySet<ModelTask> {
  const { branches, summariser, ranking, grounding } = preset
  const isAsked: Readonly<Record<ModelTask, boolean>> = {
    extraction:
      grounding === 'model' ||
      branches.some((branch) => branch.kind === 'facts' && branch.extractor.prompt !== undefined),
    story: summariser.prompt !== undefined && branches.some(({ kind }) => kind === 'story'),
    summary: summariser.prompt !== undefined && branches.some(({ kind }) => kind === 'summaries'),
    portrait: branches.some((branch) => branch.kind === 'portrait' && branch.compressor.prompt !== null),
    importance: preset.importance === 'model',
    recall: ranking.kind === 'chosen',
    reply: true,
  }
  return new Set(MODEL_TASKS.filter((task) => isAsked[task]))
}

interface GivenModels {
  readonly model?: LanguageModel | undefined
  readonly models?: TaskModels | undefined
}

/** Checks whether a preset gets its form with a language model: there is a model for all tasks, or for any task but replies. */
export function hasReadingModel({ model, models = {} }: GivenModels): boolean {
  return model !== undefined || MODEL_TASKS.some((task) => task !== 'reply' && models[task] !== undefined)
}

/** Checks that the preset calls every given model, and that each of its tasks has a model. @throws InvalidInputError */
function checkTaskModels(preset: Preset, { model, models = {} }: GivenModels): void {
  const tasks = tasksOfPreset(preset)
  const list = [...tasks].join(', ')
  for (const [task, given] of Object.entries(models)) {
    if (given === undefined || tasks.has(task as ModelTask)) continue
    throw new InvalidInputError(
      `models.${task} would never be asked: preset ${preset.name} asks a language model for ${list}. Leave it out.`,
      { preset: preset.name, task },
    )
  }
  if (model !== undefined || !hasReadingModel({ models })) return
  const missing = [...tasks].find((task) => task !== 'reply' && models[task] === undefined)
  if (missing === undefined) return
  throw new InvalidInputError(
    `models names no model for ${missing}: preset ${preset.name} asks a language model for ${list}. Give models.${missing}, or model for all that models leaves open.`,
    { preset: preset.name, task: missing },
  )
}
