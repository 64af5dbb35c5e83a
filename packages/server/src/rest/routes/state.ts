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
    value: z.unknown().describe('In the key’s own form; null where none is known.'),
    unit: z.string().nullable(),
    memories: z.array(memorySchema).describe('The facts it rests on.'),
  })
  .openapi('KeyState')

const categoriesSchema = z
  .object({ categories: z.array(z.object({ name: z.string(), description: z.string(), facts: z.int() })) })
  .openapi('Categories')

const aboutQuery = { subject: optionalParam(nameSchema, 'Whom it is about, by name; the user when absent.') }

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
    summary: 'The values of the application’s own keys',
    description: 'Of each key that the server’s memory was given (`keys`), in its own form.',
    needs: 'read',
    query: aboutQuery,
    answer: json('A state for each key.', z.object({ states: z.array(stateSchema) }).openapi('KeyStates')),
    handle: async ({ memory, query, show }) => ({
      states: await Promise.all((await memory.states(given(query))).map((state) => showState(show, state))),
    }),
  }),
  userRoute('GET /state/{key}', {
    id: 'getState',
    tag: 'persona',
    summary: 'The value of one of the application’s own keys',
    needs: 'read',
    names: { key: param(nameSchema, 'The key.') },
    query: aboutQuery,
    answer: json('Its state.', stateSchema),
    handle: async ({ memory, path, query, show }) =>
      showState(show, await memory.state(path.key, given(query))),
  }),
  userRoute('GET /categories', {
    id: 'listCategories',
    tag: 'persona',
    summary: 'The application’s own categories',
    description: 'Those that the server’s memory was given, with the number of current facts in each.',
    needs: 'read',
    answer: json('The categories.', categoriesSchema),
    handle: async ({ memory }) => ({ categories: [...(await memory.categories())] }),
  }),
]
