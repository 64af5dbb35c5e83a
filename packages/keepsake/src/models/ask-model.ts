// Defines how steps ask a language model: tasks, options, and the account of a call.
import { InvalidInputError } from '@keepsake/text'
import type { Guidelines } from '../guidelines/guidelines.ts'
import { withGuidelines } from '../prompts/guided-prompt.ts'
import type { Prompt, PromptLanguage, TextPrompt } from '../prompts/prompt.ts'
import type { EventScope } from '../scopes/scope.ts'
import type { LanguageChunk, LanguageFile, LanguageToolUse, LanguageModel } from './language-model.ts'

export interface AskOptions {
  readonly language: PromptLanguage
  readonly abortSignal?: AbortSignal | undefined
  /** For streams of models with `takesTools`. */
  readonly toolUse?: LanguageToolUse | undefined
  /** Go with the last message, for models with `takesFiles`. */
  readonly files?: readonly LanguageFile[] | undefined
}

/** A language model bound to a scope and its budget, with timeouts, retries, parsing and one repair. */
export interface AskModel {
  readonly model: string
  readonly takesTools?: boolean
  readonly takesFiles?: boolean
  readonly windowTokens?: number
  /**
   * @throws ModelError `model-failed` when it cannot be reached, `model-budget` when the scope's budget is
   * spent, `model-answer` when it answered with something unusable even after the repair, or refused.
   */
  ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input, options: AskOptions): Promise<Output>
  /** @throws ModelError while it is read. */
  stream<Input>(prompt: TextPrompt<Input>, input: Input, options: AskOptions): AsyncIterable<LanguageChunk>
}

/**
 * The language model, for a step that cannot do without.
 *
 * @param step its id, for the message
 * @throws InvalidInputError when there is none
 */
export function requireModel(ask: AskModel | null | undefined, step: string): AskModel {
  if (ask !== null && ask !== undefined) return ask
  throw new InvalidInputError(
    `The step ${step} needs a language model, and none was given. Pass one as \`model\` when opening, or choose a preset that works without.`,
    { step },
  )
}

/** What was left out of a question to a language model, and why. */
export interface LeftOut {
  readonly what: 'turns' | 'session-memories' | 'memories' | 'sentences'
  readonly count: number
  /** How many there were. */
  readonly of: number
  /**
   * `window`: the model's window does not hold them. `unsafe`: they must not be kept (COMEDY). `length`: the answer stayed longer than
   * it may be, after the model was asked to shorten it.
   */
  readonly cause: 'window' | 'unsafe' | 'length'
}

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

/** The outcome of a call: a usable answer, at once or repaired; none (`unusable`, `refused`); or a failure. */
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
  /** Requests sent: tries and the repair included. 0 when the budget allowed none. */
  readonly attempts: number
  /** Tokens of all answers, as the provider counted them; `null` when it did not, or nothing was answered. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** From the question to its end, waiting included. */
  readonly milliseconds: number
  readonly scope: EventScope
  /** Omitted entries of a partly usable answer, with their place and problem. Absent when there are none. */
  readonly leftOut?: readonly string[]
}

/**
 * Adds guidelines to every prompt that a model is asked: what it writes is kept.
 *
 * @example
 * const guided = askGuided(ask, { keep: [], never: ['health'] })
 * await guided.ask(segmentPrompt, input, { language }) // is asked as segment/6+guidelines/1
 */
export function askGuided(ask: AskModel, guidelines: Guidelines): AskModel {
  if (guidelines.keep.length + guidelines.never.length === 0) return ask
  return {
    ...ask,
    ask: (prompt, input, options) => ask.ask(withGuidelines(prompt, guidelines), input, options),
  }
}
