import { type AskModel, type LanguageAnswer, answerSchema, readAnswer } from 'keepsake/model'
import { promptVersion, type Prompt, type PromptLanguage } from 'keepsake/preset'

/** A question as the engine asked it. */
export interface Asked {
  /** `operations/2`. */
  readonly prompt: string
  readonly language: PromptLanguage
  readonly system: string
  readonly user: string
  /** Whether the answer names its outcome beside its parts (COMEDY's tasks 1 and 2). */
  readonly asksOutcome: boolean
  /** The problems that the engine's own reader finds in an answer; empty when it is accepted. */
  readonly problemsOf: (answer: string) => readonly string[]
}

/** Stops a step of the engine once it has asked. */
class QuestionPut extends Error {
  override readonly name = 'QuestionPut'
}

/**
 * Captures the question that a step of the engine asks its language model, by a model that records it and does not answer. So examples use
 * the engine's current prompts, and a tuned model fits them.
 *
 * @param step runs a part of the engine with the model it is given
 * @returns `null` where it asks nothing
 *
 * @example
 * const asked = await questionOf((ask) => operationsReader().extract(segment, { ask, related }))
 */
export async function questionOf(step: (ask: AskModel) => unknown): Promise<Asked | null> {
  let put: Asked | null = null
  const ask: AskModel = {
    model: 'none',
    ask: (prompt, input, { language }) => {
      put ??= askedOf(prompt, input, language)
      throw new QuestionPut()
    },
    stream: () => {
      throw new QuestionPut()
    },
  }
  try {
    await step(ask)
  } catch (error) {
    if (!(error instanceof QuestionPut)) throw error
  }
  return put
}

function askedOf<Input, Output>(
  prompt: Prompt<Input, Output>,
  input: Input,
  language: PromptLanguage,
): Asked {
  return {
    prompt: promptVersion(prompt),
    language,
    ...prompt.render(input, language),
    asksOutcome: Object.keys(answerSchema(prompt.schema)['properties'] ?? {}).includes('outcome'),
    problemsOf: (text) => {
      const answer: LanguageAnswer = { text, finish: 'stop', usage: { input: null, output: null } }
      const read = readAnswer(answer, prompt, input)
      return read.kind === 'good' ? [] : read.kind === 'refused' ? ['It is a refusal.'] : read.problems
    },
  }
}
