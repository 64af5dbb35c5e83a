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
    users: count.describe('Users that have a memory.'),
    scopes: count,
    sessions: count,
    turns: count,
    operations: count,
    memories: z.object({ live: count, quarantined: count, deleted: count, forgotten: count, erased: count }),
    jobs: count,
    bytes: count.describe('Size of database and journal together.'),
    schema: count,
    preset: z.string(),
    notice: z
      .string()
      .nullable()
      .describe('Where the preset is not the system whose name it bears: what it is instead.'),
    embedder: z.string(),
    cacheBytes: count,
  })
  .openapi('Stats')

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
    reason: z.string().nullable().describe('Why it failed; null for a key that may not read every scope.'),
    answer: z
      .string()
      .nullable()
      .optional()
      .describe('What the model answered, raw; only with `answers=true`.'),
  })
  .openapi('Job', { description: 'Work that waits, or failed for good and was parked.' })

const jobPageSchema = z.object({ jobs: z.array(jobSchema), next: z.string().nullable() }).openapi('JobPage')

export const retriedSchema = z.object({ retried: count }).openapi('RetriedJobs')

const accessSchema = z
  .object({
    name: z.string().describe('What the key is called.'),
    actions: z.array(z.enum(ACTIONS)),
    tenants: z.array(z.string()).nullable().describe('Tenants it opens; null: every one.'),
    users: z.array(z.string()).nullable().describe('Users it opens within them; null: every one.'),
    preset: z.string(),
    policy: z.string().describe('The forgetting policy of the preset.'),
    model: z.string().nullable().describe('The language model that answers `reply`; null: there is none.'),
  })
  .openapi('Access', { description: 'What the key that asks may do here, and with what the server works.' })

/** Routes about no particular user. */
export const serverRoutes: readonly AddRoute[] = [
  serverRoute('GET /v1/access', {
    id: 'getAccess',
    tag: 'server',
    summary: 'What this key may do',
    needs: 'any key',
    answer: json('Its actions and whom it opens.', accessSchema),
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
    summary: 'Whose memories there are',
    description: 'Erased people are not listed.',
    needs: 'admin',
    query: { tenant: nameSchema.optional(), user: nameSchema.optional(), ...pageQuery },
    answer: json('Scopes in the order they were made.', scopePageSchema),
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
    summary: 'Rows, bytes and settings',
    needs: 'admin',
    answer: json('The figures.', statsSchema),
    handle: async ({ deps }) => statsSchema.parse(await deps.keepsake.stats()),
  }),
  serverRoute('GET /v1/jobs', {
    id: 'listJobs',
    tag: 'server',
    summary: 'Work that waits, or failed and why',
    description:
      'Reasons and answers of the model, which may quote conversations, only for a key with `read` as well; answers with `answers=true`.',
    needs: 'admin',
    query: { state: z.enum(['queued', 'parked']).optional(), answers: flagSchema.optional(), ...pageQuery },
    answer: json('Jobs, oldest first.', jobPageSchema),
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
    summary: 'Try parked jobs again',
    description: 'After the cause of their failure was fixed. It happens in the background.',
    needs: 'admin',
    answer: json('They are queued again.', retriedSchema, 202),
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
  return jobs.map(({ scope, reason, answer, at, ...job }) =>
    jobSchema.parse({
      ...job,
      scope: scopes.get(scope) ?? null,
      at: new Date(at).toISOString(),
      reason: mayRead ? reason : null,
      answer: answers ? answer : undefined,
    }),
  )
}
