import { z } from '@hono/zod-openapi'
import { PROFILE_SLOTS } from 'keepsake'
import { momentSchema } from './fields.ts'

export const profileSchema = z
  .object({
    lines: z.array(
      z.object({
        slot: z.enum(PROFILE_SLOTS),
        text: z.string(),
        memories: z.array(z.string()).describe('The memories it was made from.'),
        evidence: z.array(z.object({ turn: z.string() })).describe('The turns it rests on.'),
        validFrom: momentSchema,
        isQuoted: z.boolean().describe('Whether it quotes the user, where no statement tells of it.'),
      }),
    ),
  })
  .openapi('Profile', {
    description: 'Name, health and safety, home, work, family, what goes on now, in at most 150 tokens.',
    example: { lines: [] },
  })
