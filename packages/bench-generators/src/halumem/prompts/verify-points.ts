import { z } from 'zod'
import { generatePrompt, numbersNotUsedOnce, numberProblems, failedChecks } from '../../generate-prompt.ts'

export interface VerifyPointsInput {
  readonly points: readonly string[]
  readonly claims: readonly string[]
  /** The day of the talk, `2025-11-12`. */
  readonly day: string
  /** The rounds of the talk, numbered from 1. */
  readonly rounds: readonly string[]
}

const answerSchema = z.object({
  points: z.array(z.object({ number: z.number(), round: z.number().nullable(), text: z.string() })),
  claims: z.array(z.object({ number: z.number(), round: z.number().nullable(), confirmed: z.boolean() })),
})

export type VerifyPointsAnswer = z.infer<typeof answerSchema>

/** Asks which round states each point, and for a more exact text of the point (HaluMem's stage 5, third step). */
export const verifyPointsPrompt = generatePrompt({
  id: 'generate-verify-points',
  version: 2,
  schema: answerSchema,
  shape: `{"points": [{"number": 1, "round": 4, "text": "…"}], "claims": [{"number": 1, "round": 6, "confirmed": false}]}`,
  material: ({ points, claims, day, rounds }: VerifyPointsInput) => ({ points, claims, day, talk: rounds }),
  problems: (output, { points, claims, rounds }) => [
    ...numbersNotUsedOnce(points.length, output.points).map(
      (id) => `The point ${id} must be checked exactly once.`,
    ),
    ...numbersNotUsedOnce(claims.length, output.claims).map(
      (id) => `The claim ${id} must be checked exactly once.`,
    ),
    ...numberProblems(
      'round',
      [...output.points, ...output.claims].flatMap(({ round }) => round ?? []),
      rounds.length,
    ),
    ...failedChecks({
      'The text of a point is empty.': output.points.every(({ text }) => text.trim() !== ''),
    }),
  ],
})
