import { KeepsakeError, type LanguageModel } from 'keepsake'
import { promptRunner } from 'keepsake/model'
import { promptVersion, type Prompt, type PromptLanguage } from 'keepsake/preset'
import { GenerateError } from './generate-error.ts'

/** Asks a model a prompt of a generator and returns a valid answer. */
export type AskChecked = <Input, Output>(prompt: Prompt<Input, Output>, input: Input) => Promise<Output>

/** Maximum number of calls for one prompt, without the correction that the runner requests for an invalid answer. */
const ATTEMPTS = 2

/** Returns a function that asks until an answer is valid, {@link ATTEMPTS} times at most, and then throws a GenerateError. */
export function askChecked(model: LanguageModel, language: PromptLanguage): AskChecked {
  const scope = { tenant: 'bench', user: 'generate', agent: null, app: null }
  const runner = promptRunner({ model }).for('generate', scope)
  return async (prompt, input) => {
    let lastProblem = ''
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      try {
        const output = await runner.ask(prompt, input, { language })
        // The runner returns the corrected answer even if it is still invalid.
        const problems = prompt.problems?.(output, input) ?? []
        if (problems.length === 0) return output
        lastProblem = problems.join(' ')
      } catch (error) {
        if (!(error instanceof KeepsakeError) || error.code !== 'model-answer')
          throw new GenerateError(
            `${model.id} could not be asked ${promptVersion(prompt)}: ${error instanceof Error ? error.message : String(error)}`,
            { cause: error },
          )
        lastProblem = error.message
      }
    }
    throw new GenerateError(`${model.id} gave no usable answer to ${promptVersion(prompt)}: ${lastProblem}`)
  }
}
