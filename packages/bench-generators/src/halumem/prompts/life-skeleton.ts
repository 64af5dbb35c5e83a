import { z } from 'zod'
import { dayProblems, generatePrompt, textProblems, unmet, type Redrafted } from '../../generate-prompt.ts'
import type { PersonaAnswer } from './persona.ts'

export interface LifeSkeletonInput extends Redrafted {
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
