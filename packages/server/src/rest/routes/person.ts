import { z } from '@hono/zod-openapi'
import {
  GROUNDING_LABELS,
  MEMORY_FORMS,
  MEMORY_STATUSES,
  MEMORY_TYPES,
  MODEL_TASKS,
  OPERATION_KINDS,
  type Operation,
} from 'keepsake'
import { CONSENTS } from 'keepsake/store'
import { given } from '@keepsake/text/names'
import { userRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import { eitherWayQuery, readPage, type ListPosition } from '../page.ts'
import { anyOf, momentSchema, orNull, spanQuery, timeZoneSchema, wholeNumber } from '../schemas/fields.ts'
import { evidenceSchema, memorySchema, profileSchema } from '../schemas/memory.ts'
import { pastOperationSchema } from '../schemas/operation.ts'
import { nextTrySchema, retriedSchema } from './server.ts'

const keySchema = z
  .object({
    id: z.string(),
    names: z.object({ en: z.array(z.string()), zh: z.array(z.string()) }),
    type: z.enum(MEMORY_TYPES),
    merge: z.enum(['replace', 'append', 'trajectory', 'contradictory', 'complex']),
    opposite: z.string().nullable(),
    partOf: z.enum(['same', 'other']),
    repeats: z.boolean(),
    yearly: z.boolean(),
  })
  .openapi('PersonaKey')

const valueSchema = z
  .object({
    memory: z.string(),
    value: z.string(),
    text: z.string(),
    label: z.enum(GROUNDING_LABELS),
    validFrom: momentSchema,
    validUntil: momentSchema.nullable(),
    ageMs: z.number(),
    ageRounds: z.number().nullable(),
    evidence: z.array(evidenceSchema),
    isPast: z.boolean().describe('`true` for an earlier value.'),
  })
  .openapi('PersonaValue')

const personaSchema = z
  .object({
    subjects: z.array(
      z.object({
        subject: z.string(),
        entries: z.array(z.object({ key: keySchema, values: z.array(valueSchema) })),
      }),
    ),
  })
  .openapi('PersonaSheet', { description: 'The known facts of each person, by key, the user first.' })

const storySchema = z
  .object({ levels: z.array(z.object({ level: z.int(), units: z.array(memorySchema) })) })
  .openapi('Story', {
    description: 'The story so far. Level 1 contains the raw units, level 0 the summaries of sessions.',
  })

const portraitSchema = z
  .object({
    current: orNull(memorySchema).describe('The newest version; null if there is none.'),
    versions: z.array(memorySchema).describe('All versions, oldest first.'),
  })
  .openapi('Portrait', { description: 'A summary of all memories: user, relationship, events.' })

const guidelineLines = z.array(z.string().min(1).max(500)).max(50)

const ownGuidelinesSchema = z
  .strictObject({
    keep: guidelineLines.optional().describe('What to remember, one line each.'),
    never: guidelineLines
      .optional()
      .describe('What must never be in a statement or a summary, one line each.'),
  })
  .refine(({ keep, never }) => keep !== undefined || never !== undefined, {
    message: 'needs "keep" or "never"; an empty list removes the former lines',
  })
  .openapi('OwnGuidelines')

const guidelinesSchema = z
  .object({
    keep: z.array(z.string()),
    never: z.array(z.string()),
    own: z.object({ keep: z.array(z.string()), never: z.array(z.string()) }),
  })
  .openapi('Guidelines')

const dueSchema = z
  .object({
    due: z.array(
      z.object({
        kind: z
          .enum(['plan', 'end', 'yearly'])
          .describe(
            '`plan`: a named day in the future. `end`: the end of a statement. `yearly`: a day that recurs each year.',
          ),
        at: momentSchema.describe('The beginning; if the end is a day, that day.'),
        isWholeDay: z.boolean(),
        memory: memorySchema,
      }),
    ),
  })
  .openapi('Due', { description: 'The items that fall due, the earliest first.' })

/** Routes for what consolidation makes of a whole user. */
export const wholePersonRoutes: readonly AddRoute[] = [
  userRoute('GET /persona', {
    id: 'getPersona',
    tag: 'persona',
    summary: 'Show the persona sheet',
    description: 'The known facts by key: values, the time since which they are true, and evidence.',
    needs: 'read',
    answer: json('The persona sheet.', personaSchema),
    handle: async ({ memory, show }) => show(await memory.persona()),
  }),
  userRoute('GET /profile', {
    id: 'getProfile',
    tag: 'persona',
    summary: 'Show the profile',
    description: 'The few facts that every conversation needs. Each line names the memories that support it.',
    needs: 'read',
    answer: json('The profile.', profileSchema),
    handle: async ({ memory, show }) => show(await memory.profile()),
  }),
  userRoute('GET /due', {
    id: 'listDue',
    tag: 'memories',
    summary: 'List what falls due in a time span',
    description:
      'Plans and appointments, ends of statements, birthdays and other yearly days, each with its memory. Reminders can be made from them.',
    needs: 'read',
    query: { ...spanQuery, timeZone: timeZoneSchema.optional(), limit: wholeNumber(1, 1_000).optional() },
    answer: json('The items.', dueSchema),
    handle: async ({ memory, query, show }) => show({ due: await memory.due(given(query)) }),
  }),
  userRoute('GET /story', {
    id: 'getStory',
    tag: 'story',
    summary: 'Show the story so far',
    description: 'The summaries level by level, and the summaries of sessions.',
    needs: 'read',
    answer: json('The story.', storySchema),
    handle: async ({ memory, show }) => show({ levels: await memory.story() }),
  }),
  userRoute('GET /portrait', {
    id: 'getPortrait',
    tag: 'portrait',
    summary: 'Show the portrait with its earlier versions',
    description: 'Only some presets make a portrait.',
    needs: 'read',
    answer: json('The portrait.', portraitSchema),
    handle: async ({ memory, show }) => show(await memory.portrait()),
  }),
]

const count = z.int()

const statsSchema = z
  .object({
    sessions: count,
    turns: count,
    operations: count,
    memories: z.array(
      z.object({
        status: z.enum(MEMORY_STATUSES),
        form: z.enum(MEMORY_FORMS),
        type: z.enum(MEMORY_TYPES),
        count,
      }),
    ),
    live: z
      .array(z.object({ form: z.enum(MEMORY_FORMS), memories: count, characters: count }))
      .describe('Number of live memories by form.'),
    pending: count.describe('Number of turns that are not yet consolidated.'),
    jobs: z.object({ queued: count, parked: count }),
    models: z
      .array(
        z.object({
          task: z.enum(MODEL_TASKS).nullable(),
          model: z.string(),
          calls: count,
          failed: count.describe('Number of calls without a usable answer.'),
          inputTokens: count,
          outputTokens: count,
        }),
      )
      .describe('Calls of language models and their cost, for the whole user.'),
    startedAt: momentSchema.nullable().describe('The time of the first turn.'),
    lastAt: momentSchema.nullable().describe('The time of the latest turn.'),
  })
  .openapi('ScopeStats', {
    description: 'The size of a user’s memory, how far it is consolidated, and the jobs that wait or failed.',
  })

const personJobSchema = z
  .object({
    id: z.string(),
    agent: z.string().nullable(),
    app: z.string().nullable(),
    kind: z.enum(['consolidate', 'end-session', 'read-segment']),
    session: z.string().nullable(),
    at: momentSchema,
    branch: z.string().nullable(),
    state: z.enum(['queued', 'parked']),
    attempts: z.int(),
    nextTryAt: nextTrySchema,
    reason: z.string().nullable().describe('The reason of the failure.'),
  })
  .openapi('PersonJob', {
    description: 'A job of one user that waits, or was parked after it failed permanently.',
  })

const jobsSchema = z.object({ jobs: z.array(personJobSchema) }).openapi('PersonJobs')

const logSchema = z
  .object({ operations: z.array(pastOperationSchema), next: z.string().nullable() })
  .openapi('OperationPage')

const consentSchema = z
  .strictObject({
    consent: z.enum(CONSENTS).describe('`unasked` until it is set. It does not affect what is remembered.'),
  })
  .openapi('Consent', { description: 'Whether a user’s data may be used to train or fit models.' })

function positionOf({ sequence }: Operation): ListPosition {
  return { at: sequence, id: '' }
}

/** Routes about one user's stored state. */
export const personRoutes: readonly AddRoute[] = [
  userRoute('GET /stats', {
    id: 'getScopeStats',
    tag: 'scopes',
    summary: 'Show statistics of a user',
    needs: 'read',
    answer: json('The statistics.', statsSchema),
    handle: async ({ memory, show }) => show(await memory.admin.stats()),
  }),
  userRoute('GET /operations', {
    id: 'listOperations',
    tag: 'operations',
    summary: 'List the log',
    description:
      'Every operation on these memories, with its texts. With `newestFirst` the latest changes come first.',
    needs: 'read',
    query: { kinds: anyOf(OPERATION_KINDS).optional(), ...eitherWayQuery },
    answer: json('A page of operations.', logSchema),
    handle: async ({ memory, query: { kinds, newestFirst = false, ...page }, show }) => {
      const read = (position: ListPosition | null, limit: number) => {
        const sequence = position?.at
        const bound = newestFirst ? { before: sequence } : { after: sequence }
        return memory.log(given({ kinds, newestFirst, limit, ...bound }))
      }
      const { items, next } = await readPage(page, read, positionOf)
      return show({ operations: items, next })
    },
  }),
  userRoute('GET /jobs', {
    id: 'listScopeJobs',
    tag: 'scopes',
    summary: 'List the jobs of a user that wait or failed',
    needs: 'read',
    answer: json('The jobs, the oldest first.', jobsSchema),
    handle: async ({ memory, show }) => jobsSchema.parse(await show({ jobs: await memory.jobs() })),
  }),
  userRoute('POST /jobs/retry', {
    id: 'retryScopeJobs',
    tag: 'scopes',
    summary: 'Retry the failed jobs of a user',
    needs: 'write',
    answer: json('The jobs are queued again.', retriedSchema, 202),
    once: true,
    handle: async ({ memory }) => ({ retried: await memory.admin.retryJobs() }),
  }),
  userRoute('GET /guidelines', {
    id: 'getGuidelines',
    tag: 'memories',
    summary: 'Show the guidelines for the user',
    description:
      'The application’s rules on what to remember and what never to remember: those of the server, of the user, and of the named agent or app. `own` are those set for this scope.',
    needs: 'read',
    answer: json('The guidelines that are in force.', guidelinesSchema),
    handle: async ({ memory, show }) => show(await memory.guidelines()),
  }),
  userRoute('PUT /guidelines', {
    id: 'setGuidelines',
    tag: 'memories',
    summary: 'Set the guidelines for the user',
    description:
      'Replaces the guidelines of the user, or of the named agent or app; `{"never": []}` removes them. A model reads the lines when it extracts and summarises, and its texts are checked against `never`. Stored messages and known facts stay.',
    needs: 'write',
    body: ownGuidelinesSchema,
    answer: json('The guidelines that are in force now.', guidelinesSchema),
    once: true,
    handle: async ({ memory, body, show }) => show(await memory.setGuidelines(body)),
  }),
  userRoute('GET /consent', {
    id: 'getConsent',
    tag: 'consent',
    summary: 'Show a user’s consent to training',
    needs: 'read',
    answer: json('The consent.', consentSchema),
    handle: async ({ memory }) => ({ consent: await memory.admin.consent() }),
  }),
  userRoute('PUT /consent', {
    id: 'setConsent',
    tag: 'consent',
    summary: 'Set a user’s consent to training',
    description:
      'Replaces the former consent. It applies to the whole user, unless an agent or app is named.',
    needs: 'write',
    body: consentSchema,
    answer: json('The consent as it is now.', consentSchema),
    once: true,
    handle: async ({ memory, body }) => {
      await memory.admin.setConsent(body.consent)
      return { consent: await memory.admin.consent() }
    },
  }),
]
