import { z } from '@hono/zod-openapi'
import {
  MEMORY_FORMS,
  MEMORY_STATUSES,
  MEMORY_TYPES,
  NotFoundError,
  NotPossibleError,
  type Memory,
  type MemoryFilter,
  type ScopedMemory,
} from 'keepsake'
import { given } from '@keepsake/text/names'
import { userRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import { eitherWayQuery, readPage, type ListPosition } from '../page.ts'
import {
  anyOf,
  flagSchema,
  intervalSchema,
  momentSchema,
  nameSchema,
  orNull,
  someNames,
  timeZoneSchema,
  whereSchema,
  optionalParam,
  param,
} from '../schemas/fields.ts'
import { memorySchema, strengthSchema } from '../schemas/memory.ts'
import { changed, pastOperationSchema, withoutTexts } from '../schemas/operation.ts'
import { storedTurnSchema } from '../schemas/turn.ts'

export const memoryName = { memory: param(nameSchema, 'The id of the memory.') }

const memoryPageSchema = z
  .object({ memories: z.array(memorySchema), next: z.string().nullable() })
  .openapi('MemoryPage')

/** The condition as JSON, because the values of a query are text. */
const whereQuery = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON: write {"path": "topic", "is": "travel"}' })
      return z.NEVER
    }
  })
  .pipe(whereSchema)
  .openapi({ type: 'string', description: 'The same condition as `where` of a recall, as JSON.' })

const explanationSchema = z
  .object({
    memory: memorySchema,
    plain: z.string().describe('One sentence: whether the memory stays, and why.'),
    sentences: z.array(z.string()).describe('All details: evidence, use, and the numbers of the policy.'),
    policy: z.object({ name: z.string(), formula: z.string() }),
    strength: orNull(strengthSchema).describe('null if the policy does not judge the memory.'),
    rank: z.int().nullable().describe('Rank by strength, from 1.'),
    of: z.int(),
  })
  .openapi('Explanation', { description: 'A memory, with the reasons for its state.' })

const historySchema = z.object({ operations: z.array(pastOperationSchema) }).openapi('History')

/** Returns the position of a memory in a list: its id, because ids rise with creation and never change. */
function positionOf({ id }: Memory): ListPosition {
  return { at: 0, id }
}

function afterOf(position: ListPosition | null): Pick<MemoryFilter, 'after'> {
  return position === null ? {} : { after: position.id }
}

export const memoryRoutes: readonly AddRoute[] = [
  userRoute('GET /memories', {
    id: 'listMemories',
    tag: 'memories',
    summary: 'List memories',
    description:
      'In the order in which they were made, or the newest first by date. The default is live statements (facts and notes). `forms=utterance` lists messages.',
    needs: 'read',
    query: {
      forms: anyOf(MEMORY_FORMS).optional(),
      types: anyOf(MEMORY_TYPES).optional(),
      statuses: anyOf(MEMORY_STATUSES).optional(),
      session: nameSchema.optional(),
      where: whereQuery.optional(),
      categories: optionalParam(someNames, 'Only facts of these categories.'),
      ids: optionalParam(someNames, 'Only memories with these ids.'),
      subject: optionalParam(nameSchema, 'Only memories about this person: `user`, `agent`, or a name.'),
      key: optionalParam(nameSchema, 'Only facts with this key of the persona sheet.'),
      pinned: flagSchema.optional(),
      contains: optionalParam(
        nameSchema,
        'Only memories whose text contains these characters, in upper or lower case. To search by meaning, use recall.',
      ),
      said: optionalParam(
        intervalSchema,
        'Only memories of turns from this time span, such as `2026-03-01/2026-03-31`.',
      ),
      during: optionalParam(
        intervalSchema,
        'Only memories that were true in this time span; `..` for an open side.',
      ),
      timeZone: timeZoneSchema.optional(),
      ...eitherWayQuery,
    },
    answer: json('A page of memories.', memoryPageSchema),
    handle: async ({ memory, query: { limit, cursor, ...filter }, show }) => {
      const read = (after: ListPosition | null, maxItems: number): Promise<readonly Memory[]> =>
        memory.memories({ ...given(filter), limit: maxItems, ...afterOf(after) })
      const { items, next } = await readPage({ limit, cursor }, read, positionOf)
      return show({ memories: items, next })
    },
  }),
  userRoute('GET /memories/{memory}', {
    id: 'getMemory',
    tag: 'memories',
    summary: 'Explain a memory',
    needs: 'read',
    names: memoryName,
    answer: json('The memory with its explanation.', explanationSchema),
    problems: [404],
    handle: async ({ memory, path, show }) => {
      const { history: _, ...explanation } = await memory.explain(path.memory)
      return show(explanation)
    },
  }),
  userRoute('GET /memories/{memory}/history', {
    id: 'getMemoryHistory',
    tag: 'memories',
    summary: 'List the operations on a memory',
    description: 'The oldest first, with the memory before and after.',
    needs: 'read',
    names: memoryName,
    answer: json('The operations.', historySchema),
    problems: [404],
    handle: async ({ memory, path, show }) => show({ operations: await memory.admin.history(path.memory) }),
  }),
  userRoute('GET /quarantine', {
    id: 'listQuarantine',
    tag: 'quarantine',
    summary: 'List quarantined memories',
    description: 'Statements that no turn supports, with the reason. They are not recalled.',
    needs: 'read',
    query: eitherWayQuery,
    answer: json('A page of quarantined memories.', memoryPageSchema),
    handle: async ({ memory, query: { newestFirst, ...query }, show }) => {
      const read = (after: ListPosition | null, limit: number): Promise<readonly Memory[]> =>
        memory.memories(given({ statuses: ['quarantined'] as const, limit, newestFirst, ...afterOf(after) }))
      const { items, next } = await readPage(query, read, positionOf)
      return show({ memories: items, next })
    },
  }),
  userRoute('POST /quarantine/{memory}/release', {
    id: 'releaseMemory',
    tag: 'quarantine',
    summary: 'Accept a quarantined memory',
    description: 'The memory becomes live.',
    needs: 'write',
    names: memoryName,
    answer: changed,
    problems: [404],
    once: true,
    handle: async ({ memory, path, show }) => {
      await requireQuarantined(memory, path.memory)
      return show(withoutTexts(await memory.restore(path.memory)))
    },
  }),
]

/** Refuses memories that are not quarantined, because restoring would also bring back forgotten or deleted ones. */
async function requireQuarantined(memory: ScopedMemory, id: string): Promise<void> {
  const [first] = await memory.admin.history(id)
  if (first === undefined) throw new NotFoundError('memory', id)
  const quarantined = await memory.memories({ statuses: ['quarantined'], ids: [id] })
  if (quarantined.length > 0) return
  throw new NotPossibleError(
    `Memory ${id} is not quarantined and cannot be released. To bring back a forgotten memory, restore it.`,
    { memory: id },
  )
}

const retrievalSchema = z
  .object({
    operation: z.string().nullable().describe('null for recalls that are only counted.'),
    at: momentSchema.describe('The time of the recall, or of the last of several recalls.'),
    session: z.int().describe('The number of the session.'),
    round: z.int(),
    first: z.int().describe('Number of times that it was among the first results, which count as use.'),
    second: z.int().describe('Number of times that it was among the next results, which are only counted.'),
  })
  .openapi('Retrieval')

const policyLifeSchema = z
  .object({
    policy: z.string(),
    formula: z.string(),
    isOwn: z.boolean().describe('Whether it is the policy of the preset, which forgets memories.'),
    strength: orNull(strengthSchema).describe(
      'The present strength; null if the policy does not judge the memory.',
    ),
    rank: z
      .int()
      .nullable()
      .describe('Rank by strength. The memory is forgotten if the capacity is smaller than this.'),
    of: z.int(),
    held: z
      .enum(['pinned', 'untold', 'exempt', 'never'])
      .nullable()
      .describe('The reason why it stays, whatever its strength.'),
  })
  .openapi('PolicyLife')

const lifeSchema = z
  .object({
    memory: memorySchema,
    turns: z.array(storedTurnSchema).describe('The turns that support it, without erased turns.'),
    sources: z.array(memorySchema).describe('The memories from which it was made.'),
    retrievals: z.array(retrievalSchema),
    policies: z.array(policyLifeSchema).describe('The strength by each policy, the preset’s policy first.'),
  })
  .openapi('MemoryLife', {
    description: 'The evidence of a memory, its recalls, and its strength by each policy.',
  })

export const lifeRoutes: readonly AddRoute[] = [
  userRoute('GET /memories/{memory}/life', {
    id: 'getMemoryLife',
    tag: 'memories',
    summary: 'Show the life of a memory',
    description:
      'The turns that support it, every recall of it, and its strength and rank by each forgetting policy. Its history lists its operations.',
    needs: 'read',
    names: memoryName,
    answer: json('The life of the memory.', lifeSchema),
    problems: [404],
    handle: async ({ memory, path, show }) => show(await memory.admin.life(path.memory)),
  }),
]
