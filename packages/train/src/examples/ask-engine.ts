import type { AskModel, LanguageAnswer } from 'keepsake'
import { answerSchema, promptVersion, readAnswer, type Prompt, type PromptLanguage } from 'keepsake/parts'

/** A question as the engine put it. */
export interface Asked {
  /** `operations/2`. */
  readonly prompt: string
  readonly language: PromptLanguage
  readonly system: string
  readonly user: string
  /** Whether the answer names its outcome beside its parts (COMEDY's tasks 1 and 2). */
  readonly asksOutcome: boolean
  /** What is wrong with an answer, as the engine's own reader sees it; empty when it would be taken as it stands. */
  readonly problemsOf: (answer: string) => readonly string[]
}

/** Ends a step of the engine once it has put its question. */
class QuestionPut extends Error {
  override readonly name = 'QuestionPut'
}

/**
 * The question that a step of the engine puts to its language model: the step is run with a model that notes it and does not
 * answer. So examples are in the engine's own words, whatever its prompts are by now, and a model taught by them plugs in.
 *
 * @param step runs a part of the engine with the model it is given
 * @returns `null` where it asks nothing
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
