import {
  estimateTokens,
  promptRunner,
  type LanguageModel,
  type ModelCall,
  type PromptRunnerOptions,
} from 'keepsake'
import { promptVersion, type Prompt, type PromptLanguage } from 'keepsake/parts'
import { chooseOptionPrompt, isOption } from './prompts/choose-option.ts'
import { readAnswerPrompt } from './prompts/read-answer.ts'
import { isAbstention } from '../text/is-abstention.ts'
import type { Reader } from './reader.ts'
import { ReaderError } from './reader-error.ts'

export const READER_PROMPTS = [readAnswerPrompt, chooseOptionPrompt] as const

export interface ModelReaderOptions {
  readonly model: LanguageModel
  /** Language of the prompts; should be that of the talk. */
  readonly language: PromptLanguage
  /** Retries and time, as the engine's. */
  readonly runner?: Omit<PromptRunnerOptions, 'model' | 'onCall'>
}

/**
 * A language model as reader (prompts/read-answer.ts and choose-option.ts). It is shown the context as the system composed it,
 * or the memories where there is none. Tokens are the provider's count of all
 * that was asked, repairs included, else Keepsake's estimate of one question and its answer.
 *
 * @throws ReaderError when the model cannot be reached or gives nothing that can be used.
 * @example
 * const reader = modelReader({ model: languageModel(openai('gpt-5-mini')), language: 'en' })
 */
export function modelReader(options: ModelReaderOptions): Reader {
  const { id } = options.model
  return {
    name: id,
    kind: 'model',
    version: [...READER_PROMPTS.map(promptVersion), options.language].join(' '),
    inLanguage: (language) => modelReader({ ...options, language }),
    async answer(input) {
      const { output, ...tokens } = await askReader(options, readAnswerPrompt, input)
      if (output.answer.trim() === '') throw new ReaderError(id, 'it answers with no words')
      return { answer: output.answer, abstained: !output.known || isAbstention(output.answer), ...tokens }
    },
    async choose(input) {
      const { output, ...tokens } = await askReader(options, chooseOptionPrompt, input)
      if (!isOption(output.option, input.choices))
        throw new ReaderError(id, `there is no option ${output.option}`)
      return { choice: output.option - 1, ...tokens }
    },
  }
}

/** A runner for each question, so that what the question cost is known. */
export async function askReader<Input, Output>(
  { model, language, runner }: ModelReaderOptions,
  prompt: Prompt<Input, Output>,
  input: Input,
) {
  const calls: ModelCall[] = []
  const asked = promptRunner({ ...runner, model, onCall: (call) => void calls.push(call) })
  try {
    const scope = asked.for('reader', { tenant: 'bench', user: 'reader', agent: null, app: null })
    const output = await scope.ask(prompt, input, { language })
    const { system, user } = prompt.render(input, language)
    const [call] = calls
    return {
      output,
      inputTokens: call?.inputTokens ?? estimateTokens(`${system}\n${user}`),
      outputTokens: call?.outputTokens ?? estimateTokens(JSON.stringify(output)),
    }
  } catch (error) {
    throw new ReaderError(model.id, error instanceof Error ? error.message : String(error), error)
  }
}
