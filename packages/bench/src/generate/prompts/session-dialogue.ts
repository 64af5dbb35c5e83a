import { z } from 'zod'
import { fenced, fencedList } from '../../prompts/fenced.ts'
import { FEWEST_ROUNDS } from '../halumem/session-dialogue.ts'
import { generatePrompt, textProblems } from './generate-prompt.ts'

export interface SessionDialogueInput {
  readonly who: string
  readonly summary: string
  readonly points: readonly string[]
  readonly claims: readonly string[]
}

const schema = z.object({ rounds: z.array(z.object({ user: z.string(), agent: z.string() })) })

/** HaluMem's stage 5, second step: the talk itself. */
export const sessionDialoguePrompt = generatePrompt<SessionDialogueInput, z.infer<typeof schema>>({
  id: 'generate-session-dialogue',
  schema,
  shape: '{"rounds": [{"user": "…", "agent": "…"}]}',
  rules: {
    en: `Write the talk between a person and an assistant, as such talks go.

- At least ${FEWEST_ROUNDS} rounds; the person begins each, in the first person, in a voice of their own: short and long turns, asides, small talk, things said indirectly.
- Every point is made known by the person, in some turn, with its names, numbers and days. They are spread over the talk and not listed.
- The assistant says each claim once, as if it were known, in passing. The person neither confirms nor denies it, and talks on about other things. The person never says what a claim says.
- The assistant is helpful, asks and suggests; besides the claims it makes up nothing about the person.`,
    zh: `写这个人和助手的对话，要像真的聊天。

- 至少 ${FEWEST_ROUNDS} 轮；每轮由本人先说，第一人称，有自己的口气：有长有短，有插话、闲聊，有不直说的话。
- 每一点都由本人在某一轮说出来，名称、数字、日子不变。分散在对话里，不要罗列。
- 每条 claim 由助手当作已知的事顺口说一次。本人不承认也不否认，接着说别的。本人绝不说出 claim 的内容。
- 助手乐于帮忙，会问、会建议；除了 claim，不编造关于此人的任何事。`,
  },
  material: ({ who, summary, points, claims }) =>
    [
      fenced('name', who),
      fenced('summary', summary),
      fencedList('points', points),
      fencedList('claims', claims),
    ].join('\n'),
  problems: ({ rounds }) => [
    ...(rounds.length >= FEWEST_ROUNDS
      ? []
      : [`There are ${rounds.length} rounds; write at least ${FEWEST_ROUNDS}.`]),
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
