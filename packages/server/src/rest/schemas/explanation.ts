import { z } from '@hono/zod-openapi'
import type { Explanation } from 'keepsake'
import type { Places } from '../find-places.ts'
import { orNull } from './fields.ts'
import { MEMORY_EXAMPLE, memorySchema, presentMemory } from './memory.ts'

export const strengthSchema = z
  .object({ value: z.number(), parts: z.record(z.string(), z.number()) })
  .openapi('Strength', {
    description: 'How strongly a memory holds, in the parts of the policy’s formula.',
    example: { value: 2.31, parts: { importance: 0.4, recency: 0.93 } },
  })

export const explanationSchema = z
  .object({
    memory: memorySchema,
    sentences: z
      .array(z.string())
      .openapi({ description: 'In plain sentences: what it rests on, what holds it.' }),
    policy: z.object({ name: z.string(), formula: z.string() }),
    strength: orNull(strengthSchema).openapi({ description: 'null for what the policy does not judge.' }),
    rank: z.number().int().nullable().openapi({ description: 'Place by strength, from 1.' }),
    of: z.number().int(),
  })
  .openapi('Explanation', {
    description: 'A memory, and why it is as it is.',
    example: {
      memory: MEMORY_EXAMPLE,
      sentences: ['It rests on turn monday-1 (user-stated).', 'It is live.', 'Kept: nothing is let go here.'],
      policy: { name: 'keepsake', formula: 'strength = importance × recency' },
      strength: { value: 2.31, parts: { importance: 0.4, recency: 0.93 } },
      rank: 3,
      of: 31,
    },
  })

export function presentExplanation(
  explanation: Explanation,
  places: Places,
): z.infer<typeof explanationSchema> {
  const { memory, sentences, policy, strength, rank, of } = explanation
  return {
    memory: presentMemory(memory, places),
    sentences: [...sentences],
    policy: { ...policy },
    strength: strength === null ? null : { value: strength.value, parts: { ...strength.parts } },
    rank,
    of,
  }
}
