import { type AskModel, type LanguageAnswer, answerSchema, readAnswer } from 'keepsake/model'
import { promptVersion, type Prompt, type PromptLanguage } from 'keepsake/preset'

/** A question as the engine asks it of a language model. */
export interface EngineQuestion {
  /** Name and version of the prompt: `operations/2`. */
  readonly prompt: string
  readonly language: PromptLanguage
  readonly system: string
  readonly user: string
  /** Whether the answer names its outcome beside its parts (COMEDY's tasks 1 and 2). */
  readonly asksOutcome: boolean
  /** The problems that the engine's own reader finds in an answer; empty when it is accepted. */
  readonly problemsOf: (answer: string) => readonly string[]
}

/** Stops a step of the engine when its question was captured. */
class QuestionCaptured extends Error {
  override readonly name = 'QuestionPut'
}

/** Captures the question that a step asks its model, so that examples use the engine's current prompts. `null`: it asks nothing. */
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
