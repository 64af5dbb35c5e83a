import { type AskModel, type LanguageAnswer, answerSchema, readAnswer } from 'keepsake/model'
import { promptVersion, type Prompt, type PromptLanguage } from 'keepsake/preset'

/** A question as the engine asks it of a language model. */
export interface EngineQuestion {
  /** Name and version of the prompt: `operations/2`. */
  readonly prompt: string
  readonly language: PromptLanguage
  readonly system: string
  readonly user: string
  /** Whether the answer has a field `outcome` that says whether there is anything to extract (tasks 1 and 2 of the COMEDY paper). */
  readonly asksOutcome: boolean
  /** Returns the problems that the engine's reader finds in an answer, or none if it accepts the answer. */
  readonly problemsOf: (answer: string) => readonly string[]
}

/** Stops a step of the engine as soon as its question is captured. */
class QuestionCaptured extends Error {
  override readonly name = 'QuestionCaptured'
}

/** Captures the question that a step asks its model, so that examples use the engine's current prompts. Returns `null` if it asks none. */
export async function questionOf(step: (ask: AskModel) => unknown): Promise<EngineQuestion | null> {
  let captured: EngineQuestion | null = null
  const ask: AskModel = {
    model: 'none',
    ask: (prompt, input, { language }) => {
      captured ??= captureQuestion(prompt, input, language)
      throw new QuestionCaptured()
    },
    stream: () => {
      throw new QuestionCaptured()
    },
  }
  try {
    await step(ask)
  } catch (error) {
    if (!(error instanceof QuestionCaptured)) throw error
  }
  return captured
}

function captureQuestion<Input, Output>(
  prompt: Prompt<Input, Output>,
  input: Input,
  language: PromptLanguage,
): EngineQuestion {
  return {
    prompt: promptVersion(prompt),
    language,
    ...prompt.render(input, language),
    asksOutcome: Object.keys(answerSchema(prompt.schema)['properties'] ?? {}).includes('outcome'),
    problemsOf: (text) => {
      const answer: LanguageAnswer = { text, finish: 'stop', usage: { input: null, output: null } }
      const read = readAnswer(answer, prompt, input)
      if (read.kind === 'good') return []
      return read.kind === 'refused' ? ['It is a refusal.'] : read.problems
    },
  }
}
