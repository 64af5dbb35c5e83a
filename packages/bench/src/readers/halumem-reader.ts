import { promptVersion } from 'keepsake/parts'
import { isAbstention } from '../text/is-abstention.ts'
import { askReader, modelReader, type ModelReaderOptions } from './model-reader.ts'
import { halumemReadPrompt } from './prompts/halumem-answer.ts'
import type { Reader } from './reader.ts'
import { ReaderError } from './reader-error.ts'

/**
 * A language model as reader under the conditions of the HaluMem paper (appendix D.1): every memory that was retrieved, uncut, and
 * neither a context as the system composes it nor the time of asking.
 *
 * @throws ReaderError when the model cannot be reached or gives nothing that can be used.
 * @example
 * const reader = halumemReader({ model: languageModel(openai('gpt-4o')), language: 'en' })
 */
export function halumemReader(options: ModelReaderOptions): Reader {
  const { id } = options.model
  return {
    ...modelReader(options),
    version: `${promptVersion(halumemReadPrompt)} ${options.language}`,
    inLanguage: (language) => halumemReader({ ...options, language }),
    async answer(input) {
      const { output, ...tokens } = await askReader(options, halumemReadPrompt, input)
      if (output.answer.trim() === '') throw new ReaderError(id, 'it answers with no words')
      return { answer: output.answer, abstained: isAbstention(output.answer), ...tokens }
    },
  }
}
