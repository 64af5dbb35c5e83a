import { z } from 'zod'
import { generatePrompt, notOnce } from '../../generate-prompt.ts'

export interface NarrateEventsInput {
  readonly persona: string
  /** Steps of the life, in order; their place from 1 is their number. */
  readonly steps: readonly string[]
}

/** HaluMem's stage 3: each step of the skeleton becomes an event, with what was before, what is after, and why. */
export const narrateEventsPrompt = generatePrompt({
  id: 'generate-narrate-events',
  version: 2,
  schema: z.object({ events: z.array(z.object({ number: z.number(), description: z.string() })) }),
  shape: '{"events": [{"number": 1, "description": "…"}]}',
  material: ({ persona, steps }: NarrateEventsInput) => ({ person: persona, steps }),
  problems: ({ events }, { steps }) =>
    notOnce(
      steps.length,
      events.filter(({ description }) => description.trim() !== ''),
    ).map((number) => `Step ${number} needs exactly one event with a description.`),
  maxOutputTokens: 8_000,
})
