// Defines prompts: texts in two languages, the schema of the answer, and its checks.
import type { z } from 'zod'

/** The languages of prompts. Conversations in other languages get the English prompt. */
export type PromptLanguage = 'en' | 'zh'

export interface RenderedPrompt {
  readonly system: string
  /** The earlier messages, in a prompt that continues a conversation. */
  readonly before?: readonly SaidMessage[]
  readonly user: string
}

export interface SaidMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A prompt with a schema for its answer. Any change of the texts raises `version`, which memories and recordings name. */
export interface Prompt<Input, Output> {
  /** A unique name in kebab-case, such as `segment`. */
  readonly id: string
  /** A whole number from 1. */
  readonly version: number
  /** The version of the section with the application's guidelines. Absent without guidelines. */
  readonly guidelines?: number
  /** The schema of the answer. Models that accept a schema also get the descriptions of its fields. */
  readonly schema: z.ZodType<Output>
  render(input: Input, language: PromptLanguage): RenderedPrompt
  /** Returns the problems of an answer that fits the schema, as English sentences. The request for a repair contains them. */
  problems?(output: Output, input: Input): readonly string[]
  /** Whether nothing of an answer that fits the schema can be used, such as an example that the model repeats. */
  isUnusable?(output: Output, input: Input): boolean
  readonly maxOutputTokens?: number
}

/** A prompt with a plain text as its answer. */
export interface TextPrompt<Input> {
  readonly id: string
  readonly version: number
  render(input: Input, language: PromptLanguage): RenderedPrompt
  readonly maxOutputTokens?: number
}

/** Returns the name of a prompt with its version: `segment/1`, or `segment/1+guidelines/1` with guidelines. */
export function promptVersion({ id, version, guidelines }: VersionedPrompt): string {
  const suffix = guidelines === undefined ? '' : `+guidelines/${guidelines}`
  return `${id}/${version}${suffix}`
}

type VersionedPrompt = Pick<Prompt<never, unknown>, 'id' | 'version' | 'guidelines'>
