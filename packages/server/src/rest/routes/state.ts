import { z } from '@hono/zod-openapi'
import type { KeyState } from 'keepsake'
import { given } from '@keepsake/text/names'
import { userRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import { nameSchema, optionalParam, param } from '../schemas/fields.ts'
import { memorySchema } from '../schemas/memory.ts'
import type { Shown } from '../show.ts'

const stateSchema = z
  .object({
    key: z.string(),
    description: z.string(),
    value: z.unknown().describe('The value in the form of the key; null if none is known.'),
    unit: z.string().nullable(),
    memories: z.array(memorySchema).describe('The facts that support it.'),
  })
  .openapi('KeyState')

const categoriesSchema = z
  .object({ categories: z.array(z.object({ name: z.string(), description: z.string(), facts: z.int() })) })
  .openapi('Categories')

const aboutQuery = {
  subject: optionalParam(nameSchema, 'The name of the person whom it is about. The default is the user.'),
}

type Show = <Value>(value: Value) => Promise<Shown<Value>>

/** Leaves the value as it is: it is the application's own JSON, so its fields must not be converted as times. */
async function showState(show: Show, { value, ...state }: KeyState) {
  return { ...(await show(state)), value }
}

/** Routes for what the application's own categories and keys hold. */
export const stateRoutes: readonly AddRoute[] = [
  userRoute('GET /state', {
    id: 'listStates',
    tag: 'persona',
    summary: 'List the values of the application’s own keys',
    description:
      'The values of the keys that the server was started with (`keys`), each in the form of its key.',
    needs: 'read',
    query: aboutQuery,
    answer: json('The state of each key.', z.object({ states: z.array(stateSchema) }).openapi('KeyStates')),
    handle: async ({ memory, query, show }) => ({
      states: await Promise.all((await memory.states(given(query))).map((state) => showState(show, state))),
    }),
  }),
  userRoute('GET /state/{key}', {
    id: 'getState',
    tag: 'persona',
    summary: 'Show the value of one of the application’s own keys',
    needs: 'read',
    names: { key: param(nameSchema, 'The key.') },
    query: aboutQuery,
    answer: json('The state of the key.', stateSchema),
    handle: async ({ memory, path, query, show }) =>
      showState(show, await memory.state(path.key, given(query))),
  }),
  userRoute('GET /categories', {
    id: 'listCategories',
    tag: 'persona',
    summary: 'List the application’s own categories',
    description: 'The categories that the server was started with, each with its number of current facts.',
    needs: 'read',
    answer: json('The categories.', categoriesSchema),
    handle: async ({ memory }) => ({ categories: [...(await memory.categories())] }),
  }),
]
