import { z } from 'zod'
import { fenced, fencedList } from '../../prompts/fenced.ts'
import { generatePrompt, numberProblems, textProblems } from './generate-prompt.ts'

export interface SessionPointsInput {
  readonly who: string
  readonly persona: string
  readonly event: string
  /** Memory points that hold now; their place from 1 is their number. */
  readonly known: readonly string[]
}

export const sessionPointsAnswer = z.object({
  summary: z.string(),
  points: z.array(
    z.object({
      text: z.string(),
      type: z.enum(['persona', 'event', 'relationship']),
      primary: z.boolean(),
      importance: z.number(),
      replaces: z.array(z.number()),
    }),
  ),
  claims: z.array(z.object({ text: z.string(), type: z.enum(['persona', 'event', 'relationship']) })),
})

export type SessionPointsAnswer = z.infer<typeof sessionPointsAnswer>

const POINTS = { least: 4, most: 12 } as const
const CLAIMS = { least: 1, most: 3 } as const

/** HaluMem's stage 4, and the first step of stage 5: what a session leaves, and what the agent will falsely claim. */
export const sessionPointsPrompt = generatePrompt<SessionPointsInput, SessionPointsAnswer>({
  id: 'generate-session-points',
  schema: sessionPointsAnswer,
  shape: `{"summary": "…", "points": [{"text": "…", "type": "event", "primary": true, "importance": 0.8, "replaces": [3]}], "claims": [{"text": "…", "type": "persona"}]}`,
  rules: {
    en: `A person will talk to an assistant about an event of their life. Plan that talk.

- "summary": why the person writes and how the talk goes, in two or three sentences.
- "points": six to ten things the assistant should remember of it, each one fact, in the third person with the person's name, understandable alone. persona: who they are, habits, tastes, states; event: what happened or is planned; relationship: other people. "primary" is what the event is about, the rest comes up beside it.
- Where a point makes a known one outdated, put that one's number into "replaces"; what ends without something new is a point as well ("… no longer …"). Do not repeat known points.
- "importance" from 0.1 to 1.
- "claims": one to three statements about the person that sound as if they could be true and are not: no known point and none of this talk says or implies them. The assistant will slip them in, and the person will pass over them.`,
    zh: `一个人将和助手聊自己生活中的一件事。请规划这次谈话。

- "summary"：这个人为什么来聊、聊得怎样，两三句。
- "points"：助手应从中记住的六到十点，每点一个事实，第三人称，写出名字，单独看也能懂。persona：身份、习惯、喜好、状况；event：发生或计划的事；relationship：其他人。"primary" 为事件本身，其余是顺带说到的。
- 某点使已知的某条过时，就把那条的编号写进 "replaces"；没有新情况、只是不再如此的，也算一点（“……不再……”）。不要重复已知的。
- "importance" 从 0.1 到 1。
- "claims"：一到三条关于此人的说法，听着像真的，其实不是：已知的和这次谈话的内容都没有说过、也推不出。助手会顺口提到，而此人不会理会。`,
  },
  material: ({ who, persona, event, known }) =>
    [fenced('name', who), fenced('person', persona), fencedList('known', known), fenced('event', event)].join(
      '\n',
    ),
  problems: ({ points, claims }, { known }) => [
    ...(points.length >= POINTS.least && points.length <= POINTS.most
      ? []
      : [`There are ${points.length} points; write six to ten.`]),
    ...(claims.length >= CLAIMS.least && claims.length <= CLAIMS.most
      ? []
      : [`There are ${claims.length} claims; write one to three.`]),
    ...textProblems(
      'text',
      [...points, ...claims].map(({ text }) => text),
    ),
    ...(points.every(({ importance }) => importance > 0 && importance <= 1)
      ? []
      : ['An importance is not from 0.1 to 1.']),
    ...points.flatMap(({ replaces }) => numberProblems('known point', replaces, known.length)),
  ],
})
