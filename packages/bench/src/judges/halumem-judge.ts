import { promptVersion } from 'keepsake/parts'
import { askJudge, modelJudge, type ModelJudgeOptions } from './model-judge.ts'
import { halumemAccuracyPrompt } from './halumem/accuracy.ts'
import { halumemAnswerPrompt } from './halumem/answer.ts'
import { halumemIntegrityPrompt } from './halumem/integrity.ts'
import { halumemUpdatePrompt } from './halumem/update.ts'
import type { Degree, Judge } from './judge.ts'

export const HALUMEM_JUDGE_PROMPTS = [
  halumemIntegrityPrompt,
  halumemAccuracyPrompt,
  halumemUpdatePrompt,
  halumemAnswerPrompt,
] as const

const SCORES: Readonly<Record<'0' | '1' | '2', Degree>> = { 0: 0, 1: 1, 2: 2 }

/**
 * A language model as judge by the rubrics of the HaluMem paper (its figures 12 to 18), which gives a verdict at once where
 * {@link modelJudge} has it follow from parts. The rubrics are the paper's; their words are ours.
 *
 * @throws JudgeError from every call for which the model gives no verdict; never is one put in its place.
 * @example
 * const judge = halumemJudge({ model: languageModel(openai('gpt-4o')), language: 'en' })
 */
export function halumemJudge(options: ModelJudgeOptions): Judge {
  const ask = askJudge(options)
  return {
    ...modelJudge(options),
    version: [...HALUMEM_JUDGE_PROMPTS.map(promptVersion), options.language].join(' '),
    inLanguage: (language) => halumemJudge({ ...options, language }),
    async integrity(input) {
      if (input.memories.length === 0) return { verdict: 0, reason: 'there are no memories' }
      const { score, reason } = await ask('integrity', halumemIntegrityPrompt, input)
      return { verdict: SCORES[score], reason }
    },
    async accuracy(input) {
      const { score, included, reason } = await ask('accuracy', halumemAccuracyPrompt, input)
      return { verdict: SCORES[score], isTarget: included, reason }
    },
    async update(input) {
      if (input.memories.length === 0) return { verdict: 'omitted', reason: 'nothing was retrieved' }
      const { outcome, reason } = await ask('update', halumemUpdatePrompt, input)
      return { verdict: outcome, reason }
    },
    async answer(input) {
      const { outcome, reason } = await ask('answer', halumemAnswerPrompt, input)
      return { verdict: outcome, reason }
    },
  }
}
