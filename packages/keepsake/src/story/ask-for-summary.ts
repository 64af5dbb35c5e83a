import { requireModel } from '../models/require-model.ts'
import { promptVersion, type Prompt, type PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { SummaryInput } from '../prompts/story-summary.ts'
import type { ToldSection } from '../prompts/told-sections.ts'
import type { Summariser } from './summariser.ts'
import { supportedSummary } from './support-sections.ts'

/**
 * A summariser that asks a language model one prompt, in the language of what it summarises.
 *
 * @param sectionsOf the answer's sentences in the order they are read; `unsafe` when it must not be kept
 */
export function summariserAsking<Answer>(
  prompt: Prompt<SummaryInput, Answer>,
  sectionsOf: (answer: Answer, language: PromptLanguage) => readonly ToldSection[] | 'unsafe',
): Summariser {
  const id = promptVersion(prompt)
  return {
    id,
    prompt: id,
    reads: 'texts',
    summarise: async (sources, { ask, maxCharacters, before = '', abortSignal }) => {
      const model = requireModel(ask, id)
      if (sources.length === 0) return null
      const language = promptLanguage(sources.map((source) => source.text))
      const input = { sources, before: before.trim() === '' ? null : before, maxCharacters }
      const answer = await model.ask(prompt, input, { language, abortSignal })
      const sections = sectionsOf(answer, language)
      return sections === 'unsafe' ? sections : supportedSummary(sections, sources, maxCharacters)
    },
  }
}
