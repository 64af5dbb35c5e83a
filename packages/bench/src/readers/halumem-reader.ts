import { promptVersion } from 'keepsake/preset'
import { z } from 'zod'
import { dataPrompt } from '../prompts/data-prompt.ts'
import { isAbstention } from '../text/is-abstention.ts'
import { askReader, modelReader, type ModelReaderOptions } from './model-reader.ts'
import { ReaderError } from './reader-error.ts'
import type { Reader, ReadingInput } from './reader.ts'

/** Asks for an answer as the HaluMem paper does, in our words: five or six words, from memories alone, without the time of the question. */
export const halumemReadPrompt = dataPrompt({
  id: 'halumem-read',
  version: 1,
  schema: z.object({ answer: z.string() }),
  shape: '{"answer": "…"}',
  maxOutputTokens: 300,
  show: ({ memories, question }: ReadingInput) => ({ memories, question }),
  problems: ({ answer }) => (answer.trim() === '' ? ['"answer" is empty: say that it is not known.'] : []),
})

/** Makes a reader of a model under HaluMem's conditions (appendix D.1). It sees every retrieved memory uncut, but no context and no time. */
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
