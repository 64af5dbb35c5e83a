import { z } from 'zod'
import { generatePrompt, textProblems, unmet } from '../../generate-prompt.ts'

export interface SessionDialogueInput {
  readonly who: string
  /** The person, as lines: for the voice. */
  readonly persona: string
  /** The day of the talk, `2025-11-12`. */
  readonly day: string
  readonly summary: string
  readonly points: readonly string[]
  readonly claims: readonly string[]
  /** How many rounds it has at least. */
  readonly rounds: number
}

/** HaluMem's stage 5, second step: the talk itself. */
export const sessionDialoguePrompt = generatePrompt({
  id: 'generate-session-dialogue',
  version: 3,
  schema: z.object({ rounds: z.array(z.object({ user: z.string(), agent: z.string() })) }),
  shape: '{"rounds": [{"user": "…", "agent": "…"}]}',
  rules: {
    en: `Write the talk between a person and an assistant on <day>, as such talks go.

- At least as many rounds as <rounds> says; the person begins each, in the first person, in a voice that suits <person>: short and long turns, asides, small talk, things said indirectly.
- Every point is made known by the person, in some turn, with its names, numbers and days; only <day> itself may be called today. They are spread over the talk and not listed.
- Besides the points the person mentions trifles of the moment only, nothing that would be worth remembering. <person> is there for the voice and is not retold.
- The assistant says each claim once, in passing, as if it were known. The person neither confirms nor denies it, and talks on about other things. The person never says what a claim says.
- The assistant is helpful, asks and suggests, at some length where there is something to explain. It knows of the person only what was said in this talk, and the claims.`,
    zh: `写这个人和助手在 <day> 这天的对话，要像真的聊天。

- 至少 <rounds> 轮；每轮由本人先说，第一人称，口气要像 <person> 这个人：有长有短，有插话、闲聊，有不直说的话。
- 每一点都由本人在某一轮说出来，名称、数字、日子不变，只有 <day> 当天可以说成今天。分散在对话里，不要罗列。
- 除了这些点，本人只说眼前的琐事，不说别的值得记住的事。<person> 只用来把握口气，不要复述。
- 每条 claim 由助手当作已知的事顺口说一次。本人不承认也不否认，接着说别的。本人绝不说出 claim 的内容。
- 助手乐于帮忙，会问、会建议，需要讲解时可以多说几句。关于此人，它只知道这次对话里说过的和那些 claim。`,
  },
  material: ({ who: name, persona: person, rounds, ...talk }: SessionDialogueInput) => ({
    name,
    person,
    rounds: String(rounds),
    ...talk,
  }),
  problems: ({ rounds }, { rounds: least }) => [
    ...unmet({
      [`There are ${rounds.length} rounds; write at least ${least}.`]: rounds.length >= least,
    }),
    ...textProblems(
      'turn of the person',
      rounds.map(({ user }) => user),
    ),
    ...textProblems(
      'turn of the assistant',
      rounds.map(({ agent }) => agent),
    ),
  ],
  maxOutputTokens: 8_000,
})
