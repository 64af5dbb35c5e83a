import { z } from 'zod'
import type { AnswerInput } from '../judge.ts'
import { dataPrompt } from '../../prompts/data-prompt.ts'

const schema = z.object({
  elements: z.array(
    z.object({ element: z.string(), state: z.enum(['given', 'vague', 'missing', 'different']) }),
  ),
  contradiction: z.string().describe('Empty when there is none.'),
  reason: z.string(),
})

export type JudgeAnswerAnswer = z.infer<typeof schema>

/** The right answer to an unanswerable question, as the judge sees it. */
const NOTHING = { en: 'Nothing is known about this.', zh: '没有依据，不知道。' } as const

/** Judges the elements of the right answer (HaluMem, figures 17 and 18). A rule derives the verdict from them. */
export const judgeAnswerPrompt = dataPrompt({
  id: 'judge-answer',
  version: 2,
  schema,
  shape:
    '{"elements": [{"element": "…", "state": "given|vague|missing|different"}], "contradiction": ""|"…", "reason": "…"}',
  maxOutputTokens: 1_000,
  show: ({ question, reference, keyPoints, answer, answerable }: AnswerInput, language) => ({
    question,
    reference: answerable ? reference : `${NOTHING[language]} ${reference}`,
    points: keyPoints,
    answer,
  }),
  problems: ({ elements }) =>
    elements.length === 0 ? ['"elements" is empty: give every element of the reference.'] : [],
})
