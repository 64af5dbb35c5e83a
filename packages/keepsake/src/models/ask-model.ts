import type { Prompt, PromptLanguage, TextPrompt } from '../prompts/prompt.ts'
import type { LanguageChunk, LanguageFile, LanguageToolUse } from './language-model.ts'

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
  /** The model's id. */
  readonly model: string
  /** Whether it can be given tools. */
  readonly takesTools?: boolean
  /** Whether it can be shown files. */
  readonly takesFiles?: boolean
  /** The model's window, as `LanguageModel.windowTokens` says it. */
  readonly windowTokens?: number
  /**
   * @throws ModelError `model-failed` when it cannot be reached, `model-budget` when the scope's budget is
   * spent, `model-answer` when it answered with something unusable even after the repair, or refused.
   */
  ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input, options: AskOptions): Promise<Output>
  /** @throws ModelError while it is read. */
  stream<Input>(prompt: TextPrompt<Input>, input: Input, options: AskOptions): AsyncIterable<LanguageChunk>
}
