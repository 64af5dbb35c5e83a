import { z } from '@hono/zod-openapi'
import type { JobRow, Keepsake, ScopeRow } from 'keepsake'
import { given } from '@keepsake/text/names'
import { requireAccess } from '../../access/access.ts'
import { ACTIONS, allows } from '../../access/grant.ts'
import { serverRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import { pageQuery, readPage, type ListPosition } from '../page.ts'
import { flagSchema, momentSchema, nameSchema, orNull, scopeSchema } from '../schemas/fields.ts'

const scopePageSchema = z
  .object({ scopes: z.array(scopeSchema), next: z.string().nullable() })
  .openapi('ScopePage')

const count = z.int()

const statsSchema = z
  .object({
    users: count.describe('Number of users that have a memory.'),
    scopes: count,
    sessions: count,
    turns: count,
    operations: count,
    memories: z.object({ live: count, quarantined: count, deleted: count, forgotten: count, erased: count }),
    jobs: count,
    bytes: count.describe('Size of the database and its journal.'),
    schema: count,
    preset: z.string(),
    notice: z
      .string()
      .nullable()
      .describe('If the preset only resembles the system whose name it has: what it is instead.'),
    embedder: z.string(),
    cacheBytes: count,
  })
  .openapi('Stats')

export const nextTrySchema = momentSchema
  .nullable()
  .describe('When the job is tried next, unless new turns come earlier; null if it does not wait.')

export const jobSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['consolidate', 'end-session', 'read-segment']),
    scope: orNull(scopeSchema),
    session: z.string().nullable(),
    at: momentSchema,
    branch: z.string().nullable(),
    from: z.int().nullable(),
    to: z.int().nullable(),
    state: z.enum(['queued', 'parked']),
    attempts: z.int(),
    nextTryAt: nextTrySchema,
    reason: z
      .string()
      .nullable()
      .describe('The reason of the failure; null for a key that may not read every scope.'),
    answer: z
      .string()
      .nullable()
      .optional()
      .describe('The unchanged answer of the model; only with `answers=true`.'),
  })
  .openapi('Job', { description: 'A job that waits, or was parked after it failed permanently.' })

const jobPageSchema = z.object({ jobs: z.array(jobSchema), next: z.string().nullable() }).openapi('JobPage')

export const retriedSchema = z.object({ retried: count }).openapi('RetriedJobs')

const accessSchema = z
  .object({
    name: z.string().describe('The name of the key.'),
    actions: z.array(z.enum(ACTIONS)),
    tenants: z.array(z.string()).nullable().describe('The tenants that it opens; null: every tenant.'),
    users: z
      .array(z.string())
      .nullable()
      .describe('The users of these tenants that it opens; null: every user.'),
    preset: z.string(),
    policy: z.string().describe('The forgetting policy of the preset.'),
    model: z.string().nullable().describe('The language model that answers `reply`; null if there is none.'),
  })
  .openapi('Access', { description: 'The permissions of the key, and the settings of the server.' })

/** Routes about no particular user. */
export const serverRoutes: readonly AddRoute[] = [
  serverRoute('GET /v1/access', {
    id: 'getAccess',
    tag: 'server',
    summary: 'Show the permissions of this key',
    needs: 'any key',
    answer: json('The actions of the key, and the users that it opens.', accessSchema),
    handle: ({ deps: { keepsake, model }, c }) => {
      const { name, actions, tenants, users } = c.get('grant')
      const { name: preset, policy } = keepsake.preset
      return Promise.resolve({
        name,
        actions: [...actions],
        tenants: tenants === null ? null : [...tenants],
        users: users === null ? null : [...users],
        preset,
        policy: policy.name,
        model: model?.id ?? null,
      })
    },
  }),
  serverRoute('GET /v1/scopes', {
    id: 'listScopes',
    tag: 'scopes',
    summary: 'List all scopes',
    description: 'Erased people are not listed.',
    needs: 'admin',
    query: { tenant: nameSchema.optional(), user: nameSchema.optional(), ...pageQuery },
    answer: json('The scopes in the order in which they were made.', scopePageSchema),
    handle: async ({ deps: { keepsake }, query: { limit, cursor, ...names } }) => {
      const read = (after: ListPosition | null, maxItems: number): Promise<readonly ScopeRow[]> =>
        keepsake.scopes(given({ ...names, limit: maxItems, after: after?.at }))
      const { items, next } = await readPage({ limit, cursor }, read, ({ scope }) => ({ at: scope, id: '' }))
      return { scopes: items.map((row) => scopeSchema.parse(row)), next }
    },
  }),
  serverRoute('GET /v1/stats', {
    id: 'getStats',
    tag: 'server',
    summary: 'Show statistics of the server',
    needs: 'admin',
    answer: json('The statistics.', statsSchema),
    handle: async ({ deps }) => statsSchema.parse(await deps.keepsake.stats()),
  }),
  serverRoute('GET /v1/jobs', {
    id: 'listJobs',
    tag: 'server',
    summary: 'List jobs that wait or failed',
    description:
      'Reasons and answers of the model may quote conversations, so they need `read` as well. `answers=true` adds the answers.',
    needs: 'admin',
    query: { state: z.enum(['queued', 'parked']).optional(), answers: flagSchema.optional(), ...pageQuery },
    answer: json('The jobs, the oldest first.', jobPageSchema),
    handle: async ({ deps: { keepsake }, c, query: { state, answers = false, limit, cursor } }) => {
      if (answers) requireAccess(c, 'read')
      const read = (after: ListPosition | null, maxItems: number): Promise<readonly JobRow[]> =>
        keepsake.jobs({ state, after, limit: maxItems })
      const { items, next } = await readPage({ limit, cursor }, read, ({ at, id }) => ({ at, id }))
      const mayRead = allows(c.get('grant'), 'read')
      return { jobs: await presentJobs(keepsake, items, { answers, mayRead }), next }
    },
  }),
  serverRoute('POST /v1/jobs/retry', {
    id: 'retryJobs',
    tag: 'server',
    summary: 'Retry parked jobs',
    description: 'To use after the cause of their failure was fixed. The jobs run in the background.',
    needs: 'admin',
    answer: json('The jobs are queued again.', retriedSchema, 202),
    once: true,
    handle: async ({ deps }) => ({ retried: await deps.keepsake.retryJobs() }),
  }),
]

/** Finds a scope by its number, by which the list is ordered. */
async function findScope(keepsake: Keepsake, scope: number): Promise<ScopeRow | undefined> {
  const [row] = await keepsake.scopes({ after: scope - 1, limit: 1 })
  return row?.scope === scope ? row : undefined
}

/** Converts jobs by the schema. Failure reasons may quote the conversation and need `read`. */
async function presentJobs(
  keepsake: Keepsake,
  jobs: readonly JobRow[],
  { answers, mayRead }: { readonly answers: boolean; readonly mayRead: boolean },
): Promise<z.infer<typeof jobSchema>[]> {
  const scopes = new Map<number, ScopeRow | undefined>()
  for (const { scope } of jobs) if (!scopes.has(scope)) scopes.set(scope, await findScope(keepsake, scope))
  return jobs.map(({ scope, reason, answer, at, nextTryAt, ...job }) =>
    jobSchema.parse({
      ...job,
      scope: scopes.get(scope) ?? null,
      at: new Date(at).toISOString(),
      nextTryAt: nextTryAt === null ? null : new Date(nextTryAt).toISOString(),
      reason: mayRead ? reason : null,
      answer: answers ? answer : undefined,
    }),
  )
}
