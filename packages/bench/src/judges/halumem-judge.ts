import { promptVersion, quoted, renderTime, type PromptLanguage } from 'keepsake/preset'
import { z } from 'zod'
import { dataPrompt } from '../prompts/data-prompt.ts'
import { fence } from '../prompts/fence.ts'
import type { AccuracyInput, AnswerInput, Degree, IntegrityInput, Judge, UpdateInput } from './judge.ts'
import { askJudge, modelJudge, type ModelJudgeOptions } from './model-judge.ts'

// The prompts of this file follow the rubrics of the HaluMem paper (figures 12 to 18), in our words.

/** Judges an update (figure 16). */
export const halumemUpdatePrompt = dataPrompt({
  id: 'halumem-update',
  version: 1,
  schema: z.object({ reason: z.string(), outcome: z.enum(['correct', 'hallucinated', 'omitted', 'other']) }),
  shape: '{"reason": "…", "outcome": "correct|hallucinated|omitted|other"}',
  maxOutputTokens: 400,
  show: ({ updated, originals, memories }: UpdateInput) => ({ memories, updated, original: originals }),
})

/** Judges how far the memories contain a gold memory, which the data expects (figure 12). */
export const halumemIntegrityPrompt = dataPrompt({
  id: 'halumem-integrity',
  version: 1,
  schema: z.object({ reason: z.string(), score: z.enum(['0', '1', '2']) }),
  shape: '{"reason": "…", "score": "2|1|0"}',
  maxOutputTokens: 400,
  show: ({ expected, memories }: IntegrityInput) => ({ memories, expected }),
})

/** Judges an answer (figures 17 and 18). As in the paper, only the reference answer shows that a question is unanswerable. */
export const halumemAnswerPrompt = dataPrompt({
  id: 'halumem-answer',
  version: 1,
  schema: z.object({ reason: z.string(), outcome: z.enum(['correct', 'hallucinated', 'omitted']) }),
  shape: '{"reason": "…", "outcome": "correct|hallucinated|omitted"}',
  maxOutputTokens: 500,
  show: ({ question, reference, keyPoints, answer }: AnswerInput) => ({
    question,
    reference,
    points: keyPoints,
    answer,
  }),
})

const ROLES = {
  en: { user: 'user', assistant: 'assistant' },
  zh: { user: '用户', assistant: '助手' },
} as const

/** Judges how far the dialogue supports a memory, and whether it is in the gold set (figures 13 to 15). */
export const halumemAccuracyPrompt = dataPrompt({
  id: 'halumem-accuracy',
  version: 1,
  schema: z.object({ score: z.enum(['0', '1', '2']), included: z.boolean(), reason: z.string() }),
  shape: '{"score": "2|1|0", "included": true|false, "reason": "…"}',
  maxOutputTokens: 500,
  show: ({ memory, dialogue, gold }: AccuracyInput, language) =>
    `${renderDialogue(dialogue, language)}\n${fence({ gold, memory })}`,
})

/** Renders the dialogue as the published script does: one turn per line, with time and role. */
function renderDialogue(dialogue: AccuracyInput['dialogue'], language: PromptLanguage): string {
  const lines = dialogue.map(({ role, text, at }) => {
    const time = at === undefined ? '' : `[${renderTime(at, null, language)}]`
    return `${time}${ROLES[language][role]}: ${quoted(text)}`
  })
  return `<dialogue>\n${lines.join('\n')}\n</dialogue>`
}

/** All prompts of the judge. */
export const HALUMEM_JUDGE_PROMPTS = [
  halumemIntegrityPrompt,
  halumemAccuracyPrompt,
  halumemUpdatePrompt,
  halumemAnswerPrompt,
] as const

const SCORES: Readonly<Record<'0' | '1' | '2', Degree>> = { 0: 0, 1: 1, 2: 2 }

/** Makes a judge of a model with HaluMem's rubrics, which ask for the verdict itself. A call without a verdict throws JudgeError. */
export function halumemJudge(options: ModelJudgeOptions): Judge {
  const ask = askJudge(options)
  return {
    // `likeness`, `reply` and `sameContent` are those of the general judge.
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
