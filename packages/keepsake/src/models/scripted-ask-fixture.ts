// Makes a model with prepared answers for tests.
import type { AskModel } from './ask-model.ts'
import { promptVersion, type PromptLanguage, type RenderedPrompt } from '../prompts/prompt.ts'

/** A request that the scripted model received. */
export interface Asked extends RenderedPrompt {
  readonly prompt: string
  readonly language: PromptLanguage
  /** The problems of the scripted answer. A real runner would ask once for a repair. */
  readonly problems: readonly string[]
}

/** Makes a model that gives these answers in order, also answers with problems, as after a repair that failed. */
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
