import { z } from 'zod'
import { generatePrompt, notOnce, numberProblems, unmet } from '../../generate-prompt.ts'

export interface VerifyPointsInput {
  readonly points: readonly string[]
  readonly claims: readonly string[]
  /** The day of the talk, `2025-11-12`. */
  readonly day: string
  /** The talk: rounds, their place from 1 is their number. */
  readonly rounds: readonly string[]
}

const answerSchema = z.object({
  points: z.array(z.object({ number: z.number(), round: z.number().nullable(), text: z.string() })),
  claims: z.array(z.object({ number: z.number(), round: z.number().nullable(), confirmed: z.boolean() })),
})

export type VerifyPointsAnswer = z.infer<typeof answerSchema>

/** HaluMem's stage 5, third step: every memory point is checked against the talk, and refined. */
export const verifyPointsPrompt = generatePrompt({
  id: 'generate-verify-points',
  version: 2,
  schema: answerSchema,
  shape: `{"points": [{"number": 1, "round": 4, "text": "…"}], "claims": [{"number": 1, "round": 6, "confirmed": false}]}`,
  rules: {
    en: `Check a plan against the talk that was written from it. In <talk>, which took place on <day>, "user" is the person and "agent" the assistant.

- For each point, "round" is the first round by which the person has said all of it. What is said indirectly counts where nothing else can be meant; a hint does not. null when the person never says it.
- "text" is the point, changed only where the person plainly says otherwise: another name, number, day or span of time. Vaguer or other words are no reason to change it. When "round" is null it is unchanged.
- For each claim, "round" is the first round in which the assistant says it, or null. "confirmed" is true when the person, in any round, agrees to it or says it in whatever words, and false otherwise: passed over, doubted, denied, or never said at all.
- Judge by what stands there, not by what was meant. Every point and every claim once.`,
    zh: `把计划和据此写出的对话对照检查。<talk> 发生在 <day>，其中 "user" 是本人，"agent" 是助手。

- 每一点："round" 是本人把它说全的最早一轮。不直说但不可能指别的，算说了；只是暗示，不算。从没说过则为 null。
- "text" 是这一点的文字，只有本人的话明显不符时才改：名称、数字、日子或时间长短不同。说得笼统些、换了说法，都不用改。"round" 为 null 时照原样写。
- 每条 claim："round" 是助手最早说到它的一轮，没说则为 null。本人在任何一轮同意了、或自己说了（不论措辞），"confirmed" 为 true；没理会、怀疑、否认，或根本没人说过，都为 false。
- 以写出来的为准，不看本意。每一点、每条 claim 都要有，且只有一次。`,
  },
  material: ({ points, claims, day, rounds }: VerifyPointsInput) => ({ points, claims, day, talk: rounds }),
  problems: (output, { points, claims, rounds }) => [
    ...notOnce(points.length, output.points).map((one) => `The point ${one} must be checked exactly once.`),
    ...notOnce(claims.length, output.claims).map((one) => `The claim ${one} must be checked exactly once.`),
    ...numberProblems(
      'round',
      [...output.points, ...output.claims].flatMap(({ round }) => round ?? []),
      rounds.length,
    ),
    ...unmet({ 'The text of a point is empty.': output.points.every(({ text }) => text.trim() !== '') }),
  ],
})
