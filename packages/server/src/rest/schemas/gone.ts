import { z } from '@hono/zod-openapi'
import { momentSchema } from './fields.ts'

export const receiptSchema = z
  .object({
    id: z.string(),
    at: momentSchema,
    turns: z.int(),
    memories: z.int(),
    payloads: z.int(),
    documents: z.int(),
    scrubbedAt: momentSchema
      .nullable()
      .describe(
        'When the bytes were out of file and journal; null while that is still to do: nothing of it can be read even so.',
      ),
  })
  .openapi('EraseReceipt', {
    description: 'Says what was removed, and nothing of what it said.',
    example: {
      id: '0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7c33',
      at: '2026-05-01T18:00:00.000Z',
      turns: 12,
      memories: 8,
      payloads: 20,
      documents: 20,
      scrubbedAt: '2026-05-01T18:00:00.100Z',
    },
  })

export const strengthSchema = z
  .object({ value: z.number(), parts: z.record(z.string(), z.number()) })
  .openapi('Strength', {
    description: 'How strongly a memory holds, in the parts of the policy’s formula.',
    example: { value: 2.31, parts: { importance: 0.4, recency: 0.93 } },
  })

/** A memory that the policy let go, and why. */
export const forgottenSchema = z.object({ memory: z.string(), strength: strengthSchema, reason: z.string() })
