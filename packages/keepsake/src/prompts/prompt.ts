import type { z } from 'zod'

/** Languages that prompts are written in. A talk in another language gets the English one. */
export type PromptLanguage = 'en' | 'zh'

export interface RenderedPrompt {
  readonly system: string
  readonly user: string
}

/**
 * A question to a language model: what it takes, what it says in both languages, and the shape of the answer,
 * in one file. A change of any of it raises `version`, so that a stored memory tells which words made it and a
 * recorded answer to older words is known to be stale.
 */
export interface Prompt<Input, Output> {
  /** Kebab-case and unique, e.g. `segment`. */
  readonly id: string
  /** A whole number from 1. */
  readonly version: number
  /** The answer's shape; parsing gives `Output`. Descriptions of its fields reach the model where it takes a schema. */
  readonly schema: z.ZodType<Output>
  render(input: Input, language: PromptLanguage): RenderedPrompt
  /**
   * What is wrong with an answer of the right shape, e.g. a number that no memory has: one sentence each, in
   * English, to be shown to the model with the request to mend it. Empty when all is well.
   */
  problems?(output: Output, input: Input): readonly string[]
  readonly maxOutputTokens?: number
}

/** A prompt whose answer is plain text, streamed or whole. */
export interface TextPrompt<Input> {
  readonly id: string
  readonly version: number
  render(input: Input, language: PromptLanguage): RenderedPrompt
  readonly maxOutputTokens?: number
}

/** How a prompt is named in origins, traces and fixtures: `segment/1`. */
export function promptVersion(prompt: { readonly id: string; readonly version: number }): string {
  return `${prompt.id}/${prompt.version}`
}
