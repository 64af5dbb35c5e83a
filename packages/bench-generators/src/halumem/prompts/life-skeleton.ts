import { z } from 'zod'
import {
  dayProblems,
  generatePrompt,
  textProblems,
  failedChecks,
  type RedraftInput,
} from '../../generate-prompt.ts'
import type { PersonaAnswer } from './persona.ts'

export interface LifeSkeletonInput extends RedraftInput {
  readonly persona: string
  readonly tastes: PersonaAnswer['preferences']
  /** All planned days are after this one: `2025-09-06`. */
  readonly after: string
  /** The last planned days are shortly before this one, and none is after it: `2037-05-10`. */
  readonly until: string
  /** Number of stages of career events. */
  readonly stages: number
  /** Number of changes of taste. */
  readonly tasteSteps: number
}

const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)

const answerSchema = z.object({
  careerEvents: z.array(
    z.object({ name: z.string(), stages: z.array(z.object({ name: z.string(), day, changes: z.string() })) }),
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

const STAGES_OF_EVENT = { min: 3, max: 5 } as const

/** Asks for the course of a life: career events in stages, and changes of taste (HaluMem's stage 2). */
export const lifeSkeletonPrompt = generatePrompt({
  id: 'generate-life-skeleton',
  version: 3,
  schema: answerSchema,
  shape: `{"careerEvents": [{"name": "…", "stages": [{"name": "…", "day": "2025-11-02", "changes": "…"}]}], "tasteSteps": [{"category": "…", "attitude": "likes", "before": "…", "after": "…", "day": "2025-10-20"}]}`,
  // The data of the prompt, by tag.
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

/** Writes one line for each taste, so that the model can copy it: `drinks | likes | tea`. */
function listTastes({ category, likes, dislikes }: LifeSkeletonInput['tastes'][number]): string[] {
  return [
    ...likes.map((thing) => `${category} | likes | ${thing}`),
    ...dislikes.map((thing) => `${category} | dislikes | ${thing}`),
  ]
}

function countProblems({ careerEvents, tasteSteps }: LifeSkeletonAnswer, input: LifeSkeletonInput): string[] {
  const { min, max } = STAGES_OF_EVENT
  const stages = careerEvents.flatMap((event) => event.stages)
  // A short life may have fewer stages than one event usually has.
  const minStages = Math.min(min, input.stages)
  return [
    ...failedChecks({
      [`There are ${stages.length} stages; write ${input.stages}.`]: stages.length === input.stages,
      [`There are ${tasteSteps.length} taste steps; write ${input.tasteSteps}.`]:
        tasteSteps.length === input.tasteSteps,
    }),
    ...careerEvents
      .filter((event) => event.stages.length < minStages || event.stages.length > max)
      .map(({ name }) => `The event "${name}" must have ${minStages} to ${max} stages.`),
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
  const isOrdered = (list: readonly string[]) => list.every((one, index) => one >= (list[index - 1] ?? one))
  return [
    ...dayProblems(days),
    ...failedChecks({
      [`A day is not after ${after}.`]: days.every((one) => one > after),
      [`A day is after ${until}.`]: days.every((one) => one <= until),
      'The stages are not in the order of their days.': isOrdered(career),
      'The taste steps are not in the order of their days.': isOrdered(tastes),
      'A day comes twice, among the stages and taste steps.': new Set(days).size === days.length,
    }),
  ]
}

/** Applies the taste steps in order and reports those that do not fit the tastes at that time. */
function tasteProblems({ tasteSteps }: LifeSkeletonAnswer, { tastes }: LifeSkeletonInput): string[] {
  const currentTastes = new Set(tastes.flatMap(listTastes))
  return tasteSteps.flatMap(({ category, attitude, before, after }, index) => {
    const line = (thing: string) => `${category} | ${attitude} | ${thing}`
    const problems = failedChecks({
      [`there is no category "${category}".`]: tastes.some((one) => one.category === category),
      '"before" and "after" are both null.': before !== null || after !== null,
      [`"${before}" is not among what the person ${attitude} in "${category}" then.`]:
        before === null || currentTastes.has(line(before)),
      [`"${after}" is empty, or holds already.`]:
        after === null || (after.trim() !== '' && !currentTastes.has(line(after))),
    })
    if (before !== null) currentTastes.delete(line(before))
    if (after !== null) currentTastes.add(line(after))
    return problems.map((problem) => `Taste step ${index + 1}: ${problem}`)
  })
}
