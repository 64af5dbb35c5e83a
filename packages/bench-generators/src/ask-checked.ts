import { KeepsakeError, type LanguageModel } from 'keepsake'
import { promptRunner } from 'keepsake/model'
import { promptVersion, type Prompt, type PromptLanguage } from 'keepsake/preset'
import { GenerateError } from './generate-error.ts'

/** Puts a generator's prompts to a model. */
export type AskChecked = <Input, Output>(prompt: Prompt<Input, Output>, input: Input) => Promise<Output>

/** How often a stage is started again, each time with one repair, before it counts as failed. */
const ATTEMPTS = 2

/**
 * Asks until an answer is valid: the runner retries and repairs a broken answer once; if it is still invalid, the question is asked again.
 *
 * @throws GenerateError naming the failed prompt and the reason.
 */
export function askChecked(model: LanguageModel, language: PromptLanguage): AskChecked {
  const scope = { tenant: 'bench', user: 'generate', agent: null, app: null }
  const runner = promptRunner({ model }).for('generate', scope)
  return async (prompt, input) => {
    let wrong = ''
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const output = await runner.ask(prompt, input, { language })
        const problems = prompt.problems?.(output, input) ?? []
        if (problems.length === 0) return output
        wrong = problems.join(' ')
      } catch (error) {
        if (!(error instanceof KeepsakeError) || error.code !== 'model-answer')
          throw new GenerateError(
            `${model.id} could not be asked ${promptVersion(prompt)}: ${error instanceof Error ? error.message : String(error)}`,
            { cause: error },
          )
        wrong = error.message
      }
    }
    throw new GenerateError(`${model.id} gave no usable answer to ${promptVersion(prompt)}: ${wrong}`)
  }
}
