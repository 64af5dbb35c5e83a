// Defines how steps ask a language model: tasks, options, and the report of a call.
import { InvalidInputError } from '@keepsake/text'
import type { Guidelines } from '../guidelines/guidelines.ts'
import { withGuidelines } from '../prompts/guided-prompt.ts'
import type { Prompt, PromptLanguage, TextPrompt } from '../prompts/prompt.ts'
import type { EventScope } from '../scopes/scope.ts'
import type { LanguageChunk, LanguageFile, LanguageToolUse, LanguageModel } from './language-model.ts'

export interface AskOptions {
  readonly language: PromptLanguage
  readonly abortSignal?: AbortSignal | undefined
  /** Only for streams of models with `takesTools`. */
  readonly toolUse?: LanguageToolUse | undefined
  /** Files of the last message, only for models with `takesFiles`. */
  readonly files?: readonly LanguageFile[] | undefined
}

/** A language model bound to a scope and its budget, with timeouts, retries, parsing and one repair. */
export interface AskModel {
  readonly model: string
  readonly takesTools?: boolean
  readonly takesFiles?: boolean
  readonly windowTokens?: number | undefined
  /**
   * @throws ModelError `model-failed` when the model cannot be reached, `model-budget` when the scope's budget is spent,
   *   `model-answer` when the model refused, or the answer is unusable even after the repair
   */
  ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input, options: AskOptions): Promise<Output>
  /** @throws ModelError while the stream is read */
  stream<Input>(prompt: TextPrompt<Input>, input: Input, options: AskOptions): AsyncIterable<LanguageChunk>
}

/** Returns the language model of a step. @throws InvalidInputError naming the step when there is none */
export function requireModel(ask: AskModel | null | undefined, step: string): AskModel {
  if (ask !== null && ask !== undefined) return ask
  throw new InvalidInputError(
    `The step ${step} needs a language model, and none was given. Pass one as \`model\` when opening, or choose a preset that works without.`,
    { step },
  )
}

/** A report of how much of an input or an answer was left out, and why. */
export interface LeftOut {
  readonly what: 'turns' | 'session-memories' | 'memories' | 'sentences'
  readonly count: number
  /** The total number, of which `count` were left out. */
  readonly of: number
  /** `window`: they exceed the model's window. `unsafe`: they must not be stored (COMEDY). `length`: the answer stayed too long. */
  readonly cause: 'window' | 'unsafe' | 'length'
}

/**
 * Tasks of language models. `extraction`: reading turns, with grounding, merging and forget requests. `story`: story
 * units. `summary`: session summaries. `portrait`: the user's portrait. `importance`: rating rounds. `recall`: choosing
 * memories. `reply`: answering the user.
 */
export type ModelTask = (typeof MODEL_TASKS)[number]
/** All tasks of language models: see {@link ModelTask}. */
export const MODEL_TASKS = [
  'extraction',
  'story',
  'summary',
  'portrait',
  'importance',
  'recall',
  'reply',
] as const

/** Language models by task. Other tasks use the memory's general language model. */
export type TaskModels = Readonly<Partial<Record<ModelTask, LanguageModel>>>

/** The outcome of a call. The first two outcomes have a usable answer. `repaired`: a second request corrected the answer. */
export type ModelCallOutcome =
  'answered' | 'repaired' | 'unusable' | 'refused' | 'failed' | 'timed-out' | 'over-budget' | 'aborted'

/** The outcome and cost of a call, without its content. */
export interface ModelCall {
  /** The prompt and its version: `segment/1`. */
  readonly prompt: string
  readonly model: string
  /** Its task; absent outside a memory. */
  readonly task?: ModelTask
  readonly outcome: ModelCallOutcome
  /** Number of requests, including retries and the repair. 0 when the budget is spent. */
  readonly attempts: number
  /** Tokens of all answers, as the provider counted them; `null` without a count or an answer. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Duration of the call, including waiting times. */
  readonly milliseconds: number
  readonly scope: EventScope
  /** Invalid list entries that were removed from the answer, with their path and problem. Absent when there are none. */
  readonly leftOut?: readonly string[]
}

/** Adds the application's guidelines to every prompt. The prompt's version then names them: `segment/7+guidelines/1`. */
export function askGuided(ask: AskModel, guidelines: Guidelines): AskModel {
  if (guidelines.keep.length + guidelines.never.length === 0) return ask
  return {
    ...ask,
    ask: (prompt, input, options) => ask.ask(withGuidelines(prompt, guidelines), input, options),
  }
}
