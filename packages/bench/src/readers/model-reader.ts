import { estimateTokens, type LanguageModel, type ModelCall } from 'keepsake'
import { promptRunner, type PromptRunnerOptions } from 'keepsake/model'
import { promptVersion, quotedLines, renderTime, type Prompt, type PromptLanguage } from 'keepsake/preset'
import { z } from 'zod'
import { dataPrompt } from '../prompts/data-prompt.ts'
import { fence, type Shown } from '../prompts/fence.ts'
import { isAbstention } from '../text/is-abstention.ts'
import { ReaderError } from './reader-error.ts'
import type { Reader, ReadingInput } from './reader.ts'

const NOW = { en: 'now: ', zh: '现在：' } as const

/** Shows the system's context, or its memories if it has none, the time of the question, and the question. */
function showReading(input: ReadingInput, language: PromptLanguage, options: Shown = {}): string {
  const { context, memories, askedAt, question } = input
  const read =
    context.trim() === '' ? fence({ memories }) : `<memories>\n${quotedLines(context)}\n</memories>`
  const now = `${NOW[language]}${renderTime(askedAt, null, language)}`
  return [read, now, fence({ question, ...options })].join('\n')
}

/** Asks for the answer to a question from what a system retrieved. */
export const readAnswerPrompt = dataPrompt({
  id: 'read-answer',
  version: 2,
  schema: z.object({ known: z.boolean(), answer: z.string() }),
  shape: '{"known": true|false, "answer": "…"}',
  maxOutputTokens: 500,
  show: (input: ReadingInput, language) => showReading(input, language),
  problems: ({ answer }) => (answer.trim() === '' ? ['"answer" is empty: say that you do not know.'] : []),
})

export interface ChooseOptionInput extends ReadingInput {
  readonly choices: readonly string[]
}

/** Asks for one of several options from what a system retrieved. */
export const chooseOptionPrompt = dataPrompt({
  id: 'choose-option',
  version: 1,
  schema: z.object({ reason: z.string(), option: z.number().describe('Its number, from 1.') }),
  shape: '{"reason": "…", "option": 1}',
  maxOutputTokens: 300,
  show: (input: ChooseOptionInput, language) => showReading(input, language, { options: input.choices }),
  problems: ({ option }, { choices }) =>
    isOption(option, choices)
      ? []
      : [`There is no option ${option}; they are numbered 1 to ${choices.length}.`],
})

function isOption(option: number, choices: readonly string[]): boolean {
  return Number.isInteger(option) && option >= 1 && option <= choices.length
}

/** All prompts of the reader. */
export const READER_PROMPTS = [readAnswerPrompt, chooseOptionPrompt] as const

export interface ModelReaderOptions {
  readonly model: LanguageModel
  /** Language of the prompts. It should be the language of the conversation. */
  readonly language: PromptLanguage
  /** Retries and timeout of requests. */
  readonly runner?: Omit<PromptRunnerOptions, 'model' | 'onCall'>
}

/** Makes a reader of a model. It sees the system's context, or the memories if there is none. Without a usable answer it throws ReaderError. */
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

/** Asks the model of a reader. Each question has a runner of its own, so that its cost is known. */
export async function askReader<Input, Output>(
  { model, language, runner }: ModelReaderOptions,
  prompt: Prompt<Input, Output>,
  input: Input,
) {
  const calls: ModelCall[] = []
  const runnerOfCall = promptRunner({ ...runner, model, onCall: (call) => void calls.push(call) })
  try {
    const scope = runnerOfCall.for('reader', { tenant: 'bench', user: 'reader', agent: null, app: null })
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
