import { z } from 'zod'
import { fencedList } from '../../prompts/fenced.ts'
import { generatePrompt } from './generate-prompt.ts'

export interface VerifyPointsInput {
  readonly points: readonly string[]
  readonly claims: readonly string[]
  /** The talk: rounds, their place from 1 is their number. */
  readonly rounds: readonly string[]
}

const schema = z.object({
  points: z.array(z.object({ number: z.number(), round: z.number().nullable(), text: z.string() })),
  claims: z.array(z.object({ number: z.number(), round: z.number().nullable(), confirmed: z.boolean() })),
})

/** HaluMem's stage 5, third step: every memory point is checked against the talk, and refined. */
export const verifyPointsPrompt = generatePrompt<VerifyPointsInput, z.infer<typeof schema>>({
  id: 'generate-verify-points',
  schema,
  shape: `{"points": [{"number": 1, "round": 4, "text": "…"}], "claims": [{"number": 1, "round": 6, "confirmed": false}]}`,
  rules: {
    en: `Check a plan against the talk that was written from it.

- For each point: "round" is the first round in which the person says it, or null when the person never does. "text" is the point, corrected to what the person truly said where names, numbers or days differ; otherwise unchanged.
- For each claim: "round" is the round in which the assistant says it, or null when it does not. "confirmed" is true when the person agrees to it or says it, in whatever words.
- Judge by what stands there, not by what was meant. Every point and every claim once.`,
    zh: `把计划和据此写出的对话对照检查。

- 每一点："round" 是本人第一次说到它的轮次，没说过则为 null。"text" 是这一点的文字；名称、数字、日子与本人所说不符的，改成本人所说的，否则不变。
- 每条 claim："round" 是助手说到它的轮次，没说则为 null。本人同意了或自己说了（不论措辞），"confirmed" 为 true。
- 以写出来的为准，不看本意。每一点、每条 claim 都要有，且只有一次。`,
  },
  material: ({ points, claims, rounds }) =>
    [fencedList('points', points), fencedList('claims', claims), fencedList('talk', rounds)].join('\n'),
  problems: (output, { points, claims, rounds }) => [
    ...missing('point', points.length, output.points),
    ...missing('claim', claims.length, output.claims),
    ...[...output.points, ...output.claims].flatMap(({ round }) =>
      round !== null && (round < 1 || round > rounds.length) ? [`There is no round ${round}.`] : [],
    ),
  ],
})

function missing(what: string, count: number, checked: readonly { readonly number: number }[]): string[] {
  return Array.from({ length: count }, (_, place) => place + 1)
    .filter((number) => checked.filter((one) => one.number === number).length !== 1)
    .map((number) => `The ${what} ${number} must be checked exactly once.`)
}
