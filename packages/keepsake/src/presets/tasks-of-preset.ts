import { InvalidInputError } from '@keepsake/text'
import type { LanguageModel } from '../models/language-model.ts'
import { MODEL_TASKS, type ModelTask, type TaskModels } from '../models/model-task.ts'
import type { Preset } from './preset.ts'

/** What a preset asks a language model for. Any can answer by one. */
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

/**
 * Checks whether a named preset gets its form with a language model: if there is one for all tasks, or for a task
 * other than replies.
 */
export function hasReadingModel({ model, models = {} }: GivenModels): boolean {
  return model !== undefined || MODEL_TASKS.some((task) => task !== 'reply' && models[task] !== undefined)
}

/**
 * Checks that each model given for a task is asked, and that each task which is asked has a model.
 *
 * @throws InvalidInputError names the task, and what to do
 */
export function checkTaskModels(preset: Preset, { model, models = {} }: GivenModels): void {
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
