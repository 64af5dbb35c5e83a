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

export const memoryName = { memory: param(nameSchema, 'The memory’s id.') }

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
  .openapi({ type: 'string', description: 'As `where` of a recall, written as JSON.' })

const explanationSchema = z
  .object({
    memory: memorySchema,
    plain: z.string().describe('In a sentence: whether it is kept, and why.'),
    sentences: z.array(z.string()).describe('All there is to say: evidence, use, the policy’s own numbers.'),
    policy: z.object({ name: z.string(), formula: z.string() }),
    strength: orNull(strengthSchema).describe('null for what the policy does not judge.'),
    rank: z.int().nullable().describe('Place by strength, from 1.'),
    of: z.int(),
  })
  .openapi('Explanation', { description: 'A memory, and why it is as it is.' })

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
    summary: 'Memories in order of making, or newest first by date',
    description:
      'Live statements (facts and notes) when neither a status nor a form is named. `forms=utterance` lists messages.',
    needs: 'read',
    query: {
      forms: anyOf(MEMORY_FORMS).optional(),
      types: anyOf(MEMORY_TYPES).optional(),
      statuses: anyOf(MEMORY_STATUSES).optional(),
      session: nameSchema.optional(),
      where: whereQuery.optional(),
      categories: optionalParam(someNames, 'Only facts of these categories.'),
      ids: optionalParam(someNames, 'Only these.'),
      subject: optionalParam(nameSchema, 'Only those about this: `user`, `agent`, or a name.'),
      key: optionalParam(nameSchema, 'Only facts of this persona key.'),
      pinned: flagSchema.optional(),
      contains: optionalParam(
        nameSchema,
        'Only those whose text holds this, in any case. To search by meaning, recall.',
      ),
      said: optionalParam(intervalSchema, 'Only those said in this span, such as `2026-03-01/2026-03-31`.'),
      during: optionalParam(intervalSchema, 'Only those that were so in this span; `..` for an open side.'),
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
    summary: 'A memory, and why it is as it is',
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
    summary: 'Every operation on a memory',
    description: 'Oldest first, with what it was before and after.',
    needs: 'read',
    names: memoryName,
    answer: json('The operations.', historySchema),
    problems: [404],
    handle: async ({ memory, path, show }) => show({ operations: await memory.admin.history(path.memory) }),
  }),
  userRoute('GET /quarantine', {
    id: 'listQuarantine',
    tag: 'quarantine',
    summary: 'Quarantined memories, and why',
    description: 'Candidates that no turn supports, with the reason. They are not recalled.',
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
    summary: 'Accept a quarantined memory after all',
    description: 'It is live from then on.',
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
    `Memory ${id} is not quarantined and cannot be released. To bring back a forgotten one, restore it.`,
    { memory: id },
  )
}

const retrievalSchema = z
  .object({
    operation: z.string().nullable().describe('null: recalls that only counters know of.'),
    at: momentSchema.describe('Of several recalls counted together, of the last.'),
    session: z.int().describe('The number of the session.'),
    round: z.int(),
    first: z.int().describe('How often it was among the first: used.'),
    second: z.int().describe('How often it was among the next: counted only.'),
  })
  .openapi('Retrieval')

const policyLifeSchema = z
  .object({
    policy: z.string(),
    formula: z.string(),
    isOwn: z.boolean().describe('Whether it is the policy of the preset: the one that forgets it.'),
    strength: orNull(strengthSchema).describe('Now, among all that are judged; null for what is not judged.'),
    rank: z.int().nullable().describe('It is forgotten once the capacity is smaller than this.'),
    of: z.int(),
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
    description: 'What a memory rests on, its recalls, and its strength by each policy.',
  })

export const lifeRoutes: readonly AddRoute[] = [
  userRoute('GET /memories/{memory}/life', {
    id: 'getMemoryLife',
    tag: 'memories',
    summary: 'A memory’s life',
    description:
      'The turns it rests on, every recall of it, and its strength and rank by each forgetting policy. Its operations are its history.',
    needs: 'read',
    names: memoryName,
    answer: json('Its life.', lifeSchema),
    problems: [404],
    handle: async ({ memory, path, show }) => show(await memory.admin.life(path.memory)),
  }),
]
