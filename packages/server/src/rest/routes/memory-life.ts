import { z } from '@hono/zod-openapi'
import { json } from '../describe-route.ts'
import { personRoute, type AddRoute } from '../add-route.ts'
import { momentSchema, orNull } from '../schemas/fields.ts'
import { strengthSchema } from '../schemas/gone.ts'
import { MEMORY_EXAMPLE, memorySchema } from '../schemas/memory.ts'
import { storedTurnSchema, TURN_EXAMPLE } from '../schemas/turn.ts'
import { memoryName } from './memories.ts'

const retrievalSchema = z
  .object({
    operation: z.string(),
    at: momentSchema.describe('Of several recalls gathered into one entry, of the last.'),
    session: z.int().describe('The number of the session.'),
    round: z.int(),
    first: z.int().describe('How often it was among the first: used.'),
    second: z.int().describe('How often it was among the next: counted only.'),
  })
  .openapi('Retrieval')

const pointSchema = z
  .object({
    at: momentSchema,
    session: z.int(),
    round: z.int(),
    value: z.number(),
    parts: z.record(z.string(), z.number()),
    why: z.enum(['made', 'recalled', 'changed', 'session', 'now', 'ahead']),
  })
  .openapi('StrengthPoint')

const policyLifeSchema = z
  .object({
    policy: z.string(),
    formula: z.string(),
    isOwn: z.boolean().describe('Whether it is the policy of the preset: the one by which it is let go.'),
    strength: orNull(strengthSchema).describe('Now, among all that are judged; null for what is not judged.'),
    rank: z.int().nullable().describe('It goes once fewer than so many have room.'),
    of: z.int(),
    points: z
      .array(pointSchema)
      .describe('Its strength over time, by itself; ahead as if nothing recalled it any more.'),
    goes: z
      .object({ afterSessions: z.int(), at: momentSchema })
      .nullable()
      .describe(
        'When the preset’s retention would let it go by this policy; null: not as far as is looked ahead.',
      ),
    held: z
      .enum(['pinned', 'untold', 'exempt', 'never'])
      .nullable()
      .describe('What keeps it whatever its strength.'),
  })
  .openapi('PolicyLife')

const lifeSchema = z
  .object({
    memory: memorySchema,
    turns: z.array(storedTurnSchema).describe('The turns it rests on; those that were erased are missing.'),
    sources: z.array(memorySchema).describe('The memories it was made from.'),
    retrievals: z.array(retrievalSchema),
    policies: z.array(policyLifeSchema).describe('The preset’s policy first.'),
  })
  .openapi('MemoryLife', {
    description: 'What a memory rests on, what happened to it, and how it holds.',
    example: { memory: MEMORY_EXAMPLE, turns: [TURN_EXAMPLE], sources: [], retrievals: [], policies: [] },
  })

export const lifeRoutes: readonly AddRoute[] = [
  personRoute('GET /memories/{memory}/life', {
    id: 'getMemoryLife',
    tag: 'memories',
    summary: 'A memory’s life',
    description:
      'The turns it rests on, every recall of it, and by each forgetting policy its strength over time, its rank and when it would go. Its operations are its history.',
    needs: 'read',
    names: memoryName,
    answer: json('Its life.', lifeSchema),
    problems: [404],
    handle: async ({ memory, path, show }) => show(await memory.life(path.memory)),
  }),
]
