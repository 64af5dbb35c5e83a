import type { LanguageModel } from './language-model.ts'

/**
 * Tasks of language models. `extraction`: reading turns, with grounding, merging and forget requests. `story`: story
 * units. `summary`: session summaries (COMEDY's session memory, MemoryBank's day). `portrait`: the user's portrait.
 * `importance`: rating rounds (LUFY). `recall`: choosing memories (MemoChat). `reply`: answering the user.
 */
export type ModelTask = (typeof MODEL_TASKS)[number]
/** What a language model is called for. */
export const MODEL_TASKS = [
  'extraction',
  'story',
  'summary',
  'portrait',
  'importance',
  'recall',
  'reply',
] as const

/** Language models that differ by task; where a task has none of its own, the one for all is asked. */
export type TaskModels = Readonly<Partial<Record<ModelTask, LanguageModel>>>
