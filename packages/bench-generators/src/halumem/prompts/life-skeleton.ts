import { z } from 'zod'
import { dayProblems, generatePrompt, textProblems, unmet, type Redrafted } from '../../generate-prompt.ts'
import type { PersonaAnswer } from './persona.ts'

export interface LifeSkeletonInput extends Redrafted {
  /** The person, as lines. */
  readonly persona: string
  readonly tastes: PersonaAnswer['preferences']
  /** All planned dates come later: `2025-09-06`. */
  readonly after: string
  /** And none after this; the last ones near it: `2037-05-10`. */
  readonly until: string
  /** How many stages of career events, and how many changes of taste. */
  readonly stages: number
  readonly tasteSteps: number
}

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

const answerSchema = z.object({
  careerEvents: z.array(
    z.object({
      name: z.string(),
      stages: z.array(z.object({ name: z.string(), day, changes: z.string() })),
    }),
  ),
  tasteSteps: z.array(
    z.object({
      category: z.string(),
      attitude: z.enum(['likes', 'dislikes']),
      before: z.string().nullable(),
      after: z.string().nullable(),
      day,
    }),
  ),
})

export type LifeSkeletonAnswer = z.infer<typeof answerSchema>
export type TasteChange = LifeSkeletonAnswer['tasteSteps'][number]

const STAGES_OF_EVENT = { least: 3, most: 5 } as const

/** HaluMem's stage 2: the course of a life, as a script of what is remembered, changed and dropped. */
export const lifeSkeletonPrompt = generatePrompt({
  id: 'generate-life-skeleton',
  version: 3,
  schema: answerSchema,
  shape: `{"careerEvents": [{"name": "…", "stages": [{"name": "…", "day": "2025-11-02", "changes": "…"}]}], "tasteSteps": [{"category": "…", "attitude": "likes", "before": "…", "after": "…", "day": "2025-10-20"}]}`,
  rules: {
    en: `Plan how this person's life goes on from <day> to <until>.

- Career events are the backbone: turns of the working life on the way to the life goal, one over before the next begins. Each has three to five stages, months or years apart; where fewer than three stages are asked for, one event has them all. "changes" says in a sentence how the work, the health or the relationships stand after the stage.
- Taste steps have nothing to do with the career. "attitude", likes or dislikes, is that towards the thing, and stays the same in the step: "before" gives way to the near thing "after"; with "before" null, "after" is new; with "after" null, "before" is no longer liked or disliked.
- "category" is one of <tastes>. "before" is copied letter by letter from <tastes>, or from the "after" of an earlier step, and still holds then; "after" is nothing that holds already.
- As many stages in all as <stages> says, and as many taste steps as <taste-steps>. "day" is a date later than <day> and not after <until>, and the days are spread over all of that time; both lists are in the order of their days, and no day comes twice.`,
    zh: `规划这个人从 <day> 到 <until> 的生活走向。

- 职业事件是主线：通往人生目标的转折，前一件结束后才开始下一件。每件分三到五个阶段，相隔几个月到几年；要求的阶段不足三个时，全放在一件里。"changes" 用一句话写该阶段之后工作、健康或人际关系的状况。
- 喜好的变化与职业无关。"attitude" 是对这样东西的态度：likes（喜欢）或 dislikes（不喜欢），同一步里不变。"before" 换成相近的 "after"；"before" 为 null，表示 "after" 是新添的；"after" 为 null，表示对 "before" 不再喜欢或不再不喜欢。
- "category" 取自 <tastes>。"before" 从 <tastes> 或前面某步的 "after" 里一字不差地照抄，而且当时仍然成立；"after" 不能是已经成立的。
- 阶段总数等于 <stages>，喜好变化数等于 <taste-steps>。"day" 晚于 <day>、不晚于 <until>，分布在整段时间里；两个列表都按日期先后排列，任何一天都不重复。`,
  },
  material: ({ persona, tastes, after, until, stages, tasteSteps }: LifeSkeletonInput) => ({
    person: persona,
    tastes: tastes.flatMap(listTastes),
    day: after,
    until,
    stages: String(stages),
    'taste-steps': String(tasteSteps),
  }),
  problems: (answer, input) => [
    ...countProblems(answer, input),
    ...orderProblems(answer, input),
    ...tasteProblems(answer, input),
  ],
})

/** A thing a line, so that it can be copied as it stands. */
function listTastes({ category, likes, dislikes }: LifeSkeletonInput['tastes'][number]): string[] {
  return [
    ...likes.map((thing) => `${category} | likes | ${thing}`),
    ...dislikes.map((thing) => `${category} | dislikes | ${thing}`),
  ]
}

function countProblems({ careerEvents, tasteSteps }: LifeSkeletonAnswer, input: LifeSkeletonInput): string[] {
  const { least, most } = STAGES_OF_EVENT
  const stages = careerEvents.flatMap((event) => event.stages)
  const fewest = Math.min(least, input.stages)
  return [
    ...unmet({
      [`There are ${stages.length} stages; write ${input.stages}.`]: stages.length === input.stages,
      [`There are ${tasteSteps.length} taste steps; write ${input.tasteSteps}.`]:
        tasteSteps.length === input.tasteSteps,
    }),
    ...careerEvents
      .filter((event) => event.stages.length < fewest || event.stages.length > most)
      .map(({ name }) => `The event "${name}" must have ${fewest} to ${most} stages.`),
    ...textProblems(
      'change',
      stages.map(({ changes }) => changes),
    ),
  ]
}

function orderProblems(
  { careerEvents, tasteSteps }: LifeSkeletonAnswer,
  { after, until }: LifeSkeletonInput,
): string[] {
  const career = careerEvents.flatMap((event) => event.stages.map((stage) => stage.day))
  const tastes = tasteSteps.map((step) => step.day)
  const days = [...career, ...tastes]
  const isOrdered = (list: readonly string[]) => list.every((one, place) => one >= (list[place - 1] ?? one))
  return [
    ...dayProblems(days),
    ...unmet({
      [`A day is not after ${after}.`]: days.every((one) => one > after),
      [`A day is after ${until}.`]: days.every((one) => one <= until),
      'The stages are not in the order of their days.': isOrdered(career),
      'The taste steps are not in the order of their days.': isOrdered(tastes),
      'A day comes twice, among the stages and taste steps.': new Set(days).size === days.length,
    }),
  ]
}

/** Walks through the steps with what is liked and disliked. */
function tasteProblems({ tasteSteps }: LifeSkeletonAnswer, { tastes }: LifeSkeletonInput): string[] {
  const held = new Set(tastes.flatMap(listTastes))
  return tasteSteps.flatMap(({ category, attitude, before, after }, place) => {
    const line = (thing: string) => `${category} | ${attitude} | ${thing}`
    const wrong = unmet({
      [`there is no category "${category}".`]: tastes.some((one) => one.category === category),
      '"before" and "after" are both null.': before !== null || after !== null,
      [`"${before}" is not among what the person ${attitude} in "${category}" then.`]:
        before === null || held.has(line(before)),
      [`"${after}" is empty, or holds already.`]:
        after === null || (after.trim() !== '' && !held.has(line(after))),
    })
    if (before !== null) held.delete(line(before))
    if (after !== null) held.add(line(after))
    return wrong.map((problem) => `Taste step ${place + 1}: ${problem}`)
  })
}
