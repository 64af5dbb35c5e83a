import { z } from '@hono/zod-openapi'

export const scopeSchema = z
  .object({
    tenant: z.string(),
    user: z.string(),
    agent: z.string().nullable(),
    app: z.string().nullable(),
  })
  .openapi('Scope', {
    description: 'Whose memory it is.',
    example: { tenant: 'default', user: 'ana', agent: null, app: null },
  })
