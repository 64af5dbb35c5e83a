import { z } from '@hono/zod-openapi'
import type { ScopeRow } from 'keepsake'

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

/** A stored scope as it goes out: without the store's numbers. */
export function scopeOf({ tenant, user, agent, app }: ScopeRow): z.infer<typeof scopeSchema> {
  return { tenant, user, agent, app }
}
