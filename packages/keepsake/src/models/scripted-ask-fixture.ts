import type { AskModel } from './ask-model.ts'
import { promptVersion, type PromptLanguage, type RenderedPrompt } from '../prompts/prompt.ts'

/** A question as the scripted model was asked it. */
export interface Asked extends RenderedPrompt {
  readonly prompt: string
  readonly language: PromptLanguage
  /** What the prompt finds wrong with the scripted answer: a real runner asks once for it to be mended. */
  readonly problems: readonly string[]
}

/** A model that gives these answers in turn, whatever is wrong with them, as after a repair that failed. */
export function scriptedAsk(...answers: readonly unknown[]): AskModel & { readonly asked: readonly Asked[] } {
  const asked: Asked[] = []
  return {
    model: 'scripted/1',
    asked,
    ask: async (prompt, input, { language }) => {
      if (asked.length === answers.length) throw new Error(`No answer is left for ${prompt.id}.`)
      const answer = prompt.schema.parse(answers[asked.length])
      const problems = prompt.problems?.(answer, input) ?? []
      asked.push({ ...prompt.render(input, language), prompt: promptVersion(prompt), language, problems })
      return answer
    },
    stream: () => {
      throw new Error('Nothing is streamed from a script.')
    },
  }
}
