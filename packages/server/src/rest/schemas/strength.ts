import { z } from '@hono/zod-openapi'

export const strengthSchema = z
  .object({ value: z.number(), parts: z.record(z.string(), z.number()) })
  .openapi('Strength', {
    description: 'How strongly a memory holds, in the parts of the policy’s formula.',
    example: { value: 2.31, parts: { importance: 0.4, recency: 0.93 } },
  })

/** A memory that the policy let go, and why. */
export const forgottenSchema = z.object({ memory: z.string(), strength: strengthSchema, reason: z.string() })
