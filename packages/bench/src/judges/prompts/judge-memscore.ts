import { z } from 'zod'
import { dataPrompt } from '../../prompts/data-prompt.ts'
import type { LikenessInput } from '../judge.ts'

// z.int() would write bounds into the schema that some providers refuse.
const score = z.number().meta({ type: 'integer', description: '0 to 5' })
const HIGHEST_SCORE = 5
/** Scores how well a memory captures the meaning of a label, which is an annotated memory (MemScore: MOOM, section 5.2). */
export const judgeMemScorePrompt = dataPrompt({
  id: 'judge-memscore',
  version: 2,
  schema: z.object({ reason: z.string(), score }),
  shape: '{"reason": "…", "score": 0|1|2|3|4|5}',
  maxOutputTokens: 300,
  show: ({ label, memory }: LikenessInput) => ({ label, memory }),
  problems: ({ score }) =>
    isMemScore(score) ? [] : [`The score is ${score}; give a whole number from 0 to ${HIGHEST_SCORE}.`],
})

export function isMemScore(score: number): boolean {
  return Number.isInteger(score) && score >= 0 && score <= HIGHEST_SCORE
}
