import type { z } from 'zod'
import { keepSupported } from '../extraction/grounding/keep-supported.ts'
import { requireModel } from '../models/require-model.ts'
import { promptVersion, type Prompt, type PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { storySummaryPrompt, type summaryAnswer, type SummaryInput } from '../prompts/story-summary.ts'
import type { ToldSection } from '../prompts/summary-sections.ts'
import type { Summariser } from './summariser.ts'
import { supportedSummary } from './support-sections.ts'

/**
 * MOOM's narrative summaries (section 3.1): of turns, and of the summaries of the level below. Needs a language
 * model.
 *
 * @param options.isChecked whether sentences that what they rest on does not bear out are left out, which MOOM does not
 */
export function storySummariser({ isChecked = false }: { readonly isChecked?: boolean } = {}): Summariser {
  const sectionsOf = ({ sentences }: z.output<typeof summaryAnswer>): ToldSection[] => [
    { label: null, sentences },
  ]
  const summariser = summariserAsking(storySummaryPrompt, sectionsOf)
  if (!isChecked) return summariser
  return {
    ...summariser,
    summarise: async (sources, options) => {
      const summary = await summariser.summarise(sources, options)
      if (summary === null || typeof summary === 'string') return summary
      const around = [...sources.map((source) => source.text), options.before ?? '']
      const text = keepSupported(summary.text, { turns: [], around })
      return text === '' ? null : { ...summary, text }
    },
  }
}

/**
 * A summariser that asks a language model one prompt, in the language of what it summarises.
 *
 * @param sectionsOf the answer's sentences in the order they are read
 */
export function summariserAsking<Answer>(
  prompt: Prompt<SummaryInput, Answer>,
  sectionsOf: (answer: Answer, language: PromptLanguage) => readonly ToldSection[],
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
      return supportedSummary(sectionsOf(answer, language), sources, maxCharacters)
    },
  }
}
