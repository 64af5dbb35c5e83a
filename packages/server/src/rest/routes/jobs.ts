import { createRoute, z } from '@hono/zod-openapi'
import type { JobRow, ScopeRow } from 'keepsake'
import { allows } from '../../access/access.ts'
import { requireAccess } from '../../access/require-access.ts'
import type { ServerDeps } from '../../server-context.ts'
import { json, onceHeaders, problems, SECURITY } from '../describe-route.ts'
import { pageOf, pageQuery } from '../page.ts'
import type { RestApp } from '../rest-app.ts'
import { runOnce } from '../run-once.ts'
import { flagSchema, momentSchema, orNull, presentTime } from '../schemas/fields.ts'
import { scopeSchema } from '../schemas/scope.ts'

const jobSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['consolidate', 'end-session', 'read-segment']),
    scope: orNull(scopeSchema),
    session: z.string().nullable(),
    at: momentSchema,
    branch: z.string().nullable(),
    from: z.number().int().nullable(),
    to: z.number().int().nullable(),
    state: z.enum(['queued', 'parked']),
    attempts: z.number().int(),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Why it failed; null for a key that may not read every scope.' }),
    answer: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: 'What the model answered, raw; only with `answers=true`.' }),
  })
  .openapi('Job', { description: 'Work that waits, or failed for good and was parked.' })

const listRoute = createRoute({
  method: 'get',
  path: '/v1/jobs',
  operationId: 'listJobs',
  summary: 'Work that waits, or failed and why',
  description:
    'Reasons and answers of the model, which may quote conversations, only for a key with `read` as well; answers with `answers=true`. Needs `admin`.',
  tags: ['server'],
  security: SECURITY,
  request: {
    query: z.strictObject({
      state: z.enum(['queued', 'parked']).optional(),
      answers: flagSchema.optional(),
      ...pageQuery,
    }),
  },
  responses: {
    200: json(
      'Jobs, oldest first.',
      z.object({ jobs: z.array(jobSchema), next: z.string().nullable() }).openapi('JobPage', {
        example: { jobs: [], next: null },
      }),
    ),
    ...problems(),
  },
})

const retryRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'post',
    path: '/v1/jobs/retry',
    operationId: 'retryJobs',
    summary: 'Try parked jobs again',
    description: 'After what made them fail was mended. It happens in the background. Needs `admin`.',
    tags: ['server'],
    security: SECURITY,
    middleware: runOnce(deps),
    request: { query: z.strictObject({}), headers: onceHeaders },
    responses: {
      202: json(
        'They are queued again.',
        z.object({ retried: z.number().int() }).openapi('RetriedJobs', { example: { retried: 3 } }),
      ),
      ...problems(409),
    },
  })

export function addJobRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(listRoute, async (c) => {
    requireAccess(c, 'admin')
    const { state, answers = false, limit, cursor } = c.req.valid('query')
    if (answers) requireAccess(c, 'read')
    const found = (await deps.keepsake.jobs()).filter((job) => state === undefined || job.state === state)
    const { items, next } = pageOf(found, { limit, cursor }, ({ at, id }) => ({ at, id }))
    const scopes = new Map((await deps.keepsake.scopes()).map((row) => [row.scope, row]))
    const mayRead = allows(c.get('grant'), 'read')
    const jobs = items.map((job) => presentJob(job, scopes.get(job.scope), { answers, mayRead }))
    return c.json({ jobs, next }, 200)
  })

  app.openapi(retryRoute(deps), async (c) => {
    requireAccess(c, 'admin')
    return c.json({ retried: await deps.keepsake.retryJobs() }, 202)
  })
}

/** A job as it goes out. What went wrong may quote the talk, and what the model answered surely does. */
function presentJob(
  job: JobRow,
  whose: ScopeRow | undefined,
  { answers, mayRead }: { readonly answers: boolean; readonly mayRead: boolean },
): z.infer<typeof jobSchema> {
  const { id, kind, session, at, branch, from, to, state, attempts, answer } = job
  const scope =
    whose === undefined
      ? null
      : { tenant: whose.tenant, user: whose.user, agent: whose.agent, app: whose.app }
  const reason = mayRead ? job.reason : null
  const shown = { id, kind, scope, session, at: presentTime(at), branch, from, to, state, attempts, reason }
  return answers ? { ...shown, answer } : shown
}
