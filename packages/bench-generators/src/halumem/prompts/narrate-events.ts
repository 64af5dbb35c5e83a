import { z } from 'zod'
import { generatePrompt, numbersNotUsedOnce } from '../../generate-prompt.ts'

export interface NarrateEventsInput {
  readonly persona: string
  /** Steps of the life, in order, numbered from 1. */
  readonly steps: readonly string[]
}

/** Asks for an event for each step of a life: the state before, the state after, and the reason (HaluMem's stage 3). */
export const narrateEventsPrompt = generatePrompt({
  id: 'generate-narrate-events',
  version: 2,
  schema: z.object({ events: z.array(z.object({ number: z.number(), description: z.string() })) }),
  shape: '{"events": [{"number": 1, "description": "…"}]}',
  material: ({ persona, steps }: NarrateEventsInput) => ({ person: persona, steps }),
  problems: ({ events }, { steps }) =>
    numbersNotUsedOnce(
      steps.length,
      events.filter(({ description }) => description.trim() !== ''),
    ).map((number) => `Step ${number} needs exactly one event with a description.`),
  maxOutputTokens: 8_000,
})
