// Summarises with a language model, and removes sentences that the sources do not support.
import type { z } from 'zod'
import { keepSupported } from '../extraction/grounding/keep-supported.ts'
import { requireModel } from '../models/ask-model.ts'
import { promptVersion, type Prompt, type PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { storySummaryPrompt, type summaryAnswer, type SummaryInput } from '../prompts/story-summary.ts'
import { type ToldSection, composeSections, longestAllowed } from '../prompts/summary-sections.ts'
import type { Summariser, Summary } from './summariser.ts'
import { eachOnce, type Evidence } from '../memories/evidence.ts'
import { isLine } from '../prompts/check-answer.ts'
import type { SummarySource } from '../prompts/render-summary-sources.ts'

/** Makes the narrative summaries of the paper MOOM (section 3.1). `isChecked` also removes sentences without support. */
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
      const sourceTexts = [...sources.map((source) => source.text), options.before ?? '']
      const text = keepSupported(summary.text, { turns: [], context: sourceTexts })
      return text === '' ? null : { ...summary, text }
    },
  }
}

/** Makes a summariser with one prompt, in the language of the sources. `sectionsOf` orders the sentences of an answer. */
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

/** Returns the evidence of a source: its turn, or the turns of an earlier summary. */
function evidenceOf(source: SummarySource): readonly Evidence[] {
  return source.evidence ?? [{ turn: source.turn, quote: null }]
}

/** Removes the numbers of turns that do not exist, and sentences that then have no source. */
function supportedSections(sections: readonly ToldSection[], sources: number): ToldSection[] {
  return sections.map(({ label, sentences }) => ({
    label,
    sentences: sentences
      .map(({ text, turns }) => ({ text: text.trim(), turns: turns.filter((turn) => isLine(turn, sources)) }))
      .filter(({ text, turns }) => text !== '' && turns.length > 0),
  }))
}

/** Removes sentences from the end until the text fits. One sentence always stays. */
function fitSections(sections: readonly ToldSection[], maxCharacters: number): ToldSection[] {
  const fitted = [...sections]
  while (composeSections(fitted).length > longestAllowed(maxCharacters)) {
    const index = fitted.findLastIndex((section) => section.sentences.length > 0)
    const last = fitted[index]
    if (last === undefined || fitted.flatMap((section) => section.sentences).length === 1) break
    fitted[index] = { ...last, sentences: last.sentences.slice(0, -1) }
  }
  return fitted
}

/** Makes a summary of an answer's supported sentences with their turns; `null` if no sentence is left. */
export function supportedSummary(
  sections: readonly ToldSection[],
  sources: readonly SummarySource[],
  maxCharacters: number,
): Summary | null {
  const fitted = fitSections(supportedSections(sections, sources.length), maxCharacters)
  const numbers = new Set(fitted.flatMap(({ sentences }) => sentences.flatMap((sentence) => sentence.turns)))
  if (numbers.size === 0) return null
  const evidence = sources.flatMap((source, index) => (numbers.has(index + 1) ? evidenceOf(source) : []))
  return {
    text: composeSections(fitted).slice(0, longestAllowed(maxCharacters)),
    evidence: eachOnce(evidence),
  }
}
