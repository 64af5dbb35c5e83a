import { z } from '@hono/zod-openapi'
import { given } from '@keepsake/text/names'
import { userRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import { momentSchema, nameSchema, timeSchema, optionalParam, param } from '../schemas/fields.ts'
import { memorySchema } from '../schemas/memory.ts'

const ENTITY = {
  name: z.string().describe('`user` is the user.'),
  aliases: z.array(z.string()),
  relations: z.array(z.string()).describe('Its relation to the user.'),
  statements: z.int().describe('Number of live statements and messages that name it.'),
} as const

const entitySchema = z.object(ENTITY).openapi('Entity')

const edgeSchema = z
  .object({
    from: z.string(),
    to: z.string(),
    relation: z.string().describe('The relation of `to` to `from`.'),
    evidence: z.array(z.object({ memory: z.string(), turn: z.string().nullable(), quote: z.string() })),
    validFrom: momentSchema,
  })
  .openapi('EntityEdge')

const entitiesSchema = z.object({ entities: z.array(entitySchema) }).openapi('Entities')

const aboutSchema = z
  .object({
    entity: entitySchema,
    neighbours: z.array(z.object({ ...ENTITY, distance: z.int() })),
    edges: z.array(edgeSchema),
    statements: z.array(memorySchema).describe('Live memories that name it, the newest first, at most 50.'),
  })
  .openapi('AboutEntity')

/** Routes for whom and what statements relate to one another. */
export const entityRoutes: readonly AddRoute[] = [
  userRoute('GET /entities', {
    id: 'listEntities',
    tag: 'memories',
    summary: 'List related persons and pets',
    description: 'Rules read them from the user’s own words and from facts. The most frequent come first.',
    needs: 'read',
    answer: json('The entities.', entitiesSchema),
    handle: async ({ memory, show }) => show({ entities: [...(await memory.entities())] }),
  }),
  userRoute('GET /entities/{entity}', {
    id: 'about',
    tag: 'memories',
    summary: 'Show an entity with its relations',
    description: 'The relations to a depth of two, each with the statements that support it.',
    needs: 'read',
    names: { entity: param(nameSchema, 'One of its names; `user` is the user.') },
    query: {
      depth: z
        .enum(['1', '2'])
        .transform((depth) => (depth === '1' ? 1 : 2))
        .optional()
        .openapi({ type: 'integer', enum: [1, 2] }),
      at: optionalParam(timeSchema, 'The relations at this time. The default is now.'),
    },
    answer: json('The entity.', aboutSchema),
    problems: [404],
    handle: async ({ memory, path, query, show }) => show(await memory.about(path.entity, given(query))),
  }),
]
