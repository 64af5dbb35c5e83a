import { z } from 'zod'
import { fenced } from '../../prompts/fenced.ts'
import { generatePrompt } from './generate-prompt.ts'

export interface LifeSkeletonInput {
  /** The person, as lines. */
  readonly persona: string
  readonly startsOn: string
  /** How many stages of career events, and how many changes of taste. */
  readonly stages: number
  readonly tasteSteps: number
}

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

export const lifeSkeletonAnswer = z.object({
  careerEvents: z.array(
    z.object({
      name: z.string(),
      stages: z.array(z.object({ name: z.string(), day, changes: z.string() })),
    }),
  ),
  tasteSteps: z.array(
    z.object({
      category: z.string(),
      direction: z.enum(['Add', 'Modify', 'Delete']),
      day,
      before: z.string().nullable(),
      after: z.string().nullable(),
    }),
  ),
})

export type LifeSkeletonAnswer = z.infer<typeof lifeSkeletonAnswer>

/** HaluMem's stage 2: how a life will go, as a script for what is remembered, changed and dropped. */
export const lifeSkeletonPrompt = generatePrompt<LifeSkeletonInput, LifeSkeletonAnswer>({
  id: 'generate-life-skeleton',
  schema: lifeSkeletonAnswer,
  shape: `{"careerEvents": [{"name": "…", "stages": [{"name": "…", "day": "2025-11-02", "changes": "…"}]}], "tasteSteps": [{"category": "…", "direction": "Modify", "day": "2025-10-20", "before": "…", "after": "…"}]}`,
  rules: {
    en: `Plan how this person's life goes on after the given day.

- Career events are the backbone: turns of the working life on the way to the life goal, each in three to five stages some weeks apart. "changes" says in a sentence what of the work, the health or the relationships is different after the stage, with the new state.
- Taste steps are independent of the career. "Modify" turns a like or dislike the person has into a near one (before, after); "Delete" lets one go (after is null); "Add" brings a new one (before is null). "before" must be something the person likes or dislikes at that time.
- Exactly as many stages in all, and as many taste steps, as asked for; days after the given one, in order.`,
    zh: `规划这个人在给定日期之后的生活走向。

- 职业事件是主线：通往人生目标的转折，每件分三到五个阶段，相隔几周。"changes" 用一句话写该阶段之后工作、健康或人际关系有何不同，写明新的状况。
- 喜好的变化与职业无关。"Modify" 把已有的一样喜欢或不喜欢的变成相近的另一样（before、after）；"Delete" 是不再如此（after 为 null）；"Add" 是新添一样（before 为 null）。"before" 必须是当时确实喜欢或不喜欢的。
- 阶段总数和喜好变化数都要与要求完全一致；日期都在给定日期之后，按先后排列。`,
  },
  material: ({ persona, startsOn, stages, tasteSteps }) =>
    [
      fenced('person', persona),
      fenced('day', startsOn),
      fenced('stages', String(stages)),
      fenced('taste-steps', String(tasteSteps)),
    ].join('\n'),
  problems: ({ careerEvents, tasteSteps }, input) => {
    const stages = careerEvents.flatMap((event) => event.stages)
    const days = [...stages, ...tasteSteps].map((step) => step.day)
    return [
      ...(stages.length === input.stages
        ? []
        : [`There are ${stages.length} stages; write ${input.stages}.`]),
      ...(tasteSteps.length === input.tasteSteps
        ? []
        : [`There are ${tasteSteps.length} taste steps; write ${input.tasteSteps}.`]),
      ...(days.every((one) => one > input.startsOn) ? [] : [`A day is not after ${input.startsOn}.`]),
      ...tasteSteps.flatMap(({ direction, before, after }, place) =>
        (direction === 'Add') === (before === null) && (direction === 'Delete') === (after === null)
          ? []
          : [`Taste step ${place + 1}: "before" is null only for Add, "after" only for Delete.`],
      ),
    ]
  },
})
