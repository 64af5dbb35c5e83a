import type { LanguageModel } from './language-model.ts'

/**
 * What a memory asks a language model for. `extraction`: reading the talk, with all that belongs to it (grounding, merging values,
 * what a request to forget means). `story`: units of plot. `summary`: what is written of a session (COMEDY's session memory,
 * MemoryBank's day). `portrait`: the compressed whole. `importance`: rating rounds (LUFY). `recall`: choosing memories for a
 * question (MemoChat). `reply`: answering the user.
 */
export type ModelTask = (typeof MODEL_TASKS)[number]
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
