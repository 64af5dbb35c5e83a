import { z } from 'zod'
import { generatePrompt, numberProblems, textProblems, unmet } from '../../generate-prompt.ts'

export interface SessionPointsInput {
  readonly who: string
  readonly persona: string
  readonly event: string
  /** Memory points that hold now; their place from 1 is their number. */
  readonly known: readonly string[]
}

const type = z.enum(['persona', 'event', 'relationship'])
const answerSchema = z.object({
  summary: z.string(),
  points: z.array(
    z.object({
      text: z.string(),
      type,
      primary: z.boolean(),
      importance: z.number(),
      replaces: z.array(z.number()),
    }),
  ),
  claims: z.array(z.object({ text: z.string(), type })),
})

export type SessionPointsAnswer = z.infer<typeof answerSchema>

const POINTS = { least: 4, most: 12 } as const
const CLAIMS = { least: 1, most: 3 } as const

/** HaluMem's stage 4, and the first step of stage 5: what a session leaves, and the agent's false claims. */
export const sessionPointsPrompt = generatePrompt({
  id: 'generate-session-points',
  version: 2,
  schema: answerSchema,
  shape: `{"summary": "…", "points": [{"text": "…", "type": "event", "primary": true, "importance": 0.8, "replaces": [3]}], "claims": [{"text": "…", "type": "persona"}]}`,
  rules: {
    en: `A person will talk to an assistant about an event of their life, on the day of the event. Plan that talk.

- "summary": why the person writes and how the talk goes, in two or three sentences.
- "points": six to ten things the assistant should remember of it, each one fact, in the third person with the person's name, understandable alone, with dates instead of "today". They come from <event> and <person>; small new facts may be invented where they fit and contradict nothing. None repeats <known>.
- "type": persona is who they are, habits, tastes, states; event is what happened or is planned; relationship is other people. "primary" is true of what the event is about, false of what comes up beside it.
- "replaces": numbers of the known points that this one makes outdated, else []. What ends with nothing in its place is a point as well ("… no longer …").
- "importance": from 0.1 for a trifle to 1 for what shapes the life.
- "claims": one to three made-up statements about the person or somebody near them, which the assistant will let slip as if known and the person will pass over. <person>, <known>, <event> and this plan neither say nor imply nor deny them. Everyday details, nothing so striking that one would have to object.`,
    zh: `一个人将在事情发生当天和助手聊自己生活中的这件事。请规划这次谈话。

- "summary"：这个人为什么来聊、聊得怎样，两三句。
- "points"：助手应从中记住的六到十点，每点一个事实，第三人称，写出名字，单独看也能懂，写日期而不写“今天”。内容来自 <event> 和 <person>；可以补充合情合理、不与任何内容矛盾的小事实。不要重复 <known>。
- "type"：persona 是身份、习惯、喜好、状况；event 是发生或计划的事；relationship 是其他人。事件本身 "primary" 为 true，顺带说到的为 false。
- "replaces"：因这一点而过时的已知各条的编号，没有则为 []。不再如此、也没有别的取代的，也算一点（“……不再……”）。
- "importance"：从 0.1（琐事）到 1（影响一生）。
- "claims"：一到三条编造的说法，关于此人或身边的人，助手会当作已知的事顺口提到，而此人不会理会。<person>、<known>、<event> 和这份规划都没有说过、推不出、也不否定。要平常的小事，不要离奇到让人非反驳不可。`,
  },
  material: ({ who, persona, event, known }: SessionPointsInput) => ({
    name: who,
    person: persona,
    known,
    event,
  }),
  problems: ({ points, claims }, { known }) => [
    ...points.flatMap(({ text, replaces }) => [
      ...unmet({ [`This point is known already: ${text}`]: !known.includes(text) }),
      ...numberProblems('known point', replaces, known.length),
    ]),
    ...textProblems(
      'text',
      [...points, ...claims].map(({ text }) => text),
    ),
    ...unmet({
      [`There are ${points.length} points; write six to ten.`]:
        points.length >= POINTS.least && points.length <= POINTS.most,
      'No point is primary.': points.some(({ primary }) => primary),
      [`There are ${claims.length} claims; write one to three.`]:
        claims.length >= CLAIMS.least && claims.length <= CLAIMS.most,
      'An importance is not from 0.1 to 1.': points.every(
        ({ importance }) => importance > 0 && importance <= 1,
      ),
    }),
  ],
})
