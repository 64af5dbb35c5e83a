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
import { retriedSchema } from './server.ts'

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
    isPast: z.boolean().describe('A value it had before, not one of today.'),
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
  .openapi('PersonaSheet', { description: 'What is known of each person, by key; the user first.' })

const storySchema = z
  .object({ levels: z.array(z.object({ level: z.int(), units: z.array(memorySchema) })) })
  .openapi('Story', { description: 'The story so far: level 1 are raw units, 0 the sessions’ summaries.' })

const portraitSchema = z
  .object({
    current: orNull(memorySchema).describe('The newest version; null while there is none.'),
    versions: z.array(memorySchema).describe('All versions, oldest first.'),
  })
  .openapi('Portrait', { description: 'The compressed whole: user, relationship, events.' })

const guidelineLines = z.array(z.string().min(1).max(500)).max(50)

const ownGuidelinesSchema = z
  .strictObject({
    keep: guidelineLines.optional().describe('What matters, a line each.'),
    never: guidelineLines
      .optional()
      .describe('What is never kept as a statement or in a summary, a line each.'),
  })
  .refine(({ keep, never }) => keep !== undefined || never !== undefined, {
    message: 'needs "keep" or "never"; an empty list removes what was set',
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
            'A day ahead that is named, the end of a statement, or a day that comes again each year.',
          ),
        at: momentSchema.describe('Its first moment; of an end that is a day, that day.'),
        isWholeDay: z.boolean(),
        memory: memorySchema,
      }),
    ),
  })
  .openapi('Due', { description: 'What falls due, the earliest first.' })

/** Routes for what consolidation makes of a whole user. */
export const wholePersonRoutes: readonly AddRoute[] = [
  userRoute('GET /persona', {
    id: 'getPersona',
    tag: 'persona',
    summary: 'The persona sheet',
    description: 'What is known, by key: values, since when, and on what evidence.',
    needs: 'read',
    answer: json('The sheet.', personaSchema),
    handle: async ({ memory, show }) => show(await memory.persona()),
  }),
  userRoute('GET /profile', {
    id: 'getProfile',
    tag: 'persona',
    summary: 'The profile',
    description: 'The little that should be known in every talk; each line with what it rests on.',
    needs: 'read',
    answer: json('The profile.', profileSchema),
    handle: async ({ memory, show }) => show(await memory.profile()),
  }),
  userRoute('GET /due', {
    id: 'listDue',
    tag: 'memories',
    summary: 'What falls due in a span',
    description:
      'Plans and appointments, ends of statements, birthdays and other yearly days, each with the memory that says so: raw material for reminders.',
    needs: 'read',
    query: { ...spanQuery, timeZone: timeZoneSchema.optional(), limit: wholeNumber(1, 1_000).optional() },
    answer: json('The items.', dueSchema),
    handle: async ({ memory, query, show }) => show({ due: await memory.due(given(query)) }),
  }),
  userRoute('GET /story', {
    id: 'getStory',
    tag: 'story',
    summary: 'The story so far',
    description: 'Level by level, and the sessions’ summaries.',
    needs: 'read',
    answer: json('The story.', storySchema),
    handle: async ({ memory, show }) => show({ levels: await memory.story() }),
  }),
  userRoute('GET /portrait', {
    id: 'getPortrait',
    tag: 'portrait',
    summary: 'The portrait, with its earlier versions',
    description: 'Where the preset makes one.',
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
      .describe('What is live, by form.'),
    pending: count.describe('Turns that are not consolidated yet.'),
    jobs: z.object({ queued: count, parked: count }),
    models: z
      .array(
        z.object({
          task: z.enum(MODEL_TASKS).nullable(),
          model: z.string(),
          calls: count,
          failed: count.describe('Calls of which nothing could be used.'),
          inputTokens: count,
          outputTokens: count,
        }),
      )
      .describe('What language models were asked for, and what it cost, for the whole person.'),
    startedAt: momentSchema.nullable().describe('Of the first turn.'),
    lastAt: momentSchema.nullable().describe('Of the latest.'),
  })
  .openapi('ScopeStats', {
    description: 'How much there is of a person, how far it was read, and what waits or failed.',
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
    reason: z.string().nullable().describe('Why it failed.'),
  })
  .openapi('PersonJob', { description: 'Work of one person that waits, or failed for good and was parked.' })

const jobsSchema = z.object({ jobs: z.array(personJobSchema) }).openapi('PersonJobs')

const logSchema = z
  .object({ operations: z.array(pastOperationSchema), next: z.string().nullable() })
  .openapi('OperationPage')

const consentSchema = z
  .strictObject({
    consent: z
      .enum(CONSENTS)
      .describe('`unasked` while nothing was said. What is remembered does not depend on it.'),
  })
  .openapi('Consent', { description: 'Whether a person may be learned from (training, fitting).' })

function positionOf({ sequence }: Operation): ListPosition {
  return { at: sequence, id: '' }
}

/** Routes about one user's stored state. */
export const personRoutes: readonly AddRoute[] = [
  userRoute('GET /stats', {
    id: 'getScopeStats',
    tag: 'scopes',
    summary: 'How much there is of a person',
    needs: 'read',
    answer: json('The figures.', statsSchema),
    handle: async ({ memory, show }) => show(await memory.admin.stats()),
  }),
  userRoute('GET /operations', {
    id: 'listOperations',
    tag: 'operations',
    summary: 'The log',
    description: 'Every operation on these memories, with its texts: the latest changes with `newestFirst`.',
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
    summary: 'What waits or failed of a person',
    needs: 'read',
    answer: json('The jobs, oldest first.', jobsSchema),
    handle: async ({ memory, show }) => jobsSchema.parse(await show({ jobs: await memory.jobs() })),
  }),
  userRoute('POST /jobs/retry', {
    id: 'retryScopeJobs',
    tag: 'scopes',
    summary: 'Try again what failed of a person',
    needs: 'write',
    answer: json('They are queued again.', retriedSchema, 202),
    once: true,
    handle: async ({ memory }) => ({ retried: await memory.admin.retryJobs() }),
  }),
  userRoute('GET /guidelines', {
    id: 'getGuidelines',
    tag: 'memories',
    summary: 'What is kept and never kept of the user',
    description:
      'In the application’s words: those of the server’s memory, of the user, and of the agent or app that is named, together. `own` are those set here.',
    needs: 'read',
    answer: json('The guidelines that hold.', guidelinesSchema),
    handle: async ({ memory, show }) => show(await memory.guidelines()),
  }),
  userRoute('PUT /guidelines', {
    id: 'setGuidelines',
    tag: 'memories',
    summary: 'Set what is kept and never kept of the user',
    description:
      'In place of what was set before for the user, or for the agent or app that is named; `{"never": []}` removes it. A model reads the lines as it extracts and summarises, and what it writes is checked against `never`. Messages stay, and so does what is known.',
    needs: 'write',
    body: ownGuidelinesSchema,
    answer: json('The guidelines that hold now.', guidelinesSchema),
    once: true,
    handle: async ({ memory, body, show }) => show(await memory.setGuidelines(body)),
  }),
  userRoute('GET /consent', {
    id: 'getConsent',
    tag: 'consent',
    summary: 'Whether a person may be learned from',
    needs: 'read',
    answer: json('What was said.', consentSchema),
    handle: async ({ memory }) => ({ consent: await memory.admin.consent() }),
  }),
  userRoute('PUT /consent', {
    id: 'setConsent',
    tag: 'consent',
    summary: 'Record whether a person may be learned from',
    description: 'In place of what was said before; for the whole person, unless an agent or app is named.',
    needs: 'write',
    body: consentSchema,
    answer: json('What is recorded now.', consentSchema),
    once: true,
    handle: async ({ memory, body }) => {
      await memory.admin.setConsent(body.consent)
      return { consent: await memory.admin.consent() }
    },
  }),
]
