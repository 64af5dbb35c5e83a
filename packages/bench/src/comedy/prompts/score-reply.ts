import { z } from 'zod'
import { dataPrompt } from '../../prompts/data-prompt.ts'

/** The dimensions by which COMEDY's annotators score replies from 0 to 3 (appendix C). */
export const DIMENSIONS = ['coherence', 'consistency', 'memorability', 'engagingness', 'humanness'] as const
export type Dimension = (typeof DIMENSIONS)[number]

export interface ScoreReplyInput {
  /** The annotated memory of earlier sessions. */
  readonly past: readonly string[]
  /** The session so far, one turn per line. The reply answers the last one. */
  readonly talk: readonly string[]
  readonly reply: string
}

const HIGHEST_SCORE = 3
// z.int() would write bounds into the schema that some providers refuse.
const score = z.number().meta({ type: 'integer', description: '0 to 3' })

const schema = z.object({
  reason: z.string(),
  coherence: score,
  consistency: score,
  memorability: score,
  engagingness: score,
  humanness: score,
})

/** Scores one reply in each dimension. */
export const scoreReplyPrompt = dataPrompt({
  id: 'score-reply',
  version: 1,
  schema,
  shape:
    '{"reason": "…", "coherence": 0|1|2|3, "consistency": 0|1|2|3, "memorability": 0|1|2|3, "engagingness": 0|1|2|3, "humanness": 0|1|2|3}',
  maxOutputTokens: 400,
  show: ({ past, talk, reply }: ScoreReplyInput) => ({ past, talk, reply }),
  problems: (answer) =>
    DIMENSIONS.filter((name) => !isScore(answer[name])).map(
      (name) => `${name} is ${answer[name]}; give a whole number from 0 to ${HIGHEST_SCORE}.`,
    ),
})

export function isScore(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= HIGHEST_SCORE
}
