import type { z } from 'zod'

/** Languages that prompts are written in. A talk in another language gets the English one. */
export type PromptLanguage = 'en' | 'zh'

export interface RenderedPrompt {
  readonly system: string
  /** What was said before, in a prompt that goes on with a talk. */
  readonly before?: readonly SaidMessage[]
  readonly user: string
}

export interface SaidMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/**
 * A prompt: input, texts in both languages, and answer shape, in one file. Any change raises `version`, which stored
 * memories and recorded answers name.
 */
export interface Prompt<Input, Output> {
  /** Kebab-case and unique, e.g. `segment`. */
  readonly id: string
  /** A whole number from 1. */
  readonly version: number
  /** The version of the application's section at its end, where there is one. */
  readonly guidelines?: number
  /** The answer's shape; parsing gives `Output`. Descriptions of its fields reach the model where it takes a schema. */
  readonly schema: z.ZodType<Output>
  render(input: Input, language: PromptLanguage): RenderedPrompt
  /**
   * Returns problems of a well-formed answer, one English sentence each, shown to the model for the repair; empty if
   * there are none.
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

/** How a prompt is named in origins, traces and fixtures: `segment/1`; with an application's guidelines `segment/1+guidelines/1`. */
export function promptVersion({ id, version, guidelines }: Named): string {
  return `${id}/${version}${guidelines === undefined ? '' : `+guidelines/${guidelines}`}`
}

type Named = Pick<Prompt<never, unknown>, 'id' | 'version' | 'guidelines'>
