import { z } from '@hono/zod-openapi'
import { NotFoundError, type EraseTarget, type ScopedMemory } from 'keepsake'
import { given } from '../../given.ts'
import { json } from '../describe-route.ts'
import { route, type RestRouter } from '../rest-router.ts'
import { nameSchema } from '../schemas/fields.ts'
import { receiptSchema } from '../schemas/receipt.ts'

/** Ids taken in one request. */
const MOST_IDS = 1_000

const ids = z.array(nameSchema).max(MOST_IDS).optional()

const targetSchema = z
  .strictObject({ memories: ids, turns: ids, sessions: ids })
  .refine(
    ({ memories = [], turns = [], sessions = [] }) => memories.length + turns.length + sessions.length > 0,
    'names nothing: give memories, turns or sessions; to erase the person, DELETE the scope',
  )
  .openapi('EraseTarget', { example: { turns: ['monday-1'] } })

const erased = json('The receipt.', receiptSchema)

const eraseScopeRoute = route({
  method: 'delete',
  path: '',
  id: 'eraseScope',
  tag: 'erase',
  summary: 'Erase a person',
  description:
    'For good, in every scope; with `agent` or `app`, what that sees. No byte of a text stays in the file; the receipt, which holds none, does. Cannot be undone.',
  needs: 'erase',
  answer: erased,
  problems: [404],
  once: true,
})

const eraseRoute = route({
  method: 'post',
  path: '/erase',
  id: 'erase',
  tag: 'erase',
  summary: 'Erase memories, turns or sessions',
  description:
    'For good, with everything that rests on them. All or none of what is named. Cannot be undone.',
  needs: 'erase',
  body: targetSchema,
  answer: erased,
  problems: [404],
  once: true,
})

export function addEraseRoutes(rest: RestRouter): void {
  rest.person(eraseScopeRoute, async ({ memory, show }) => show(await erase(memory)))

  rest.person(eraseRoute, async ({ memory, body, show }) => show(await erase(memory, given(body))))
}

async function erase(memory: ScopedMemory, target?: EraseTarget) {
  const receipt = await memory.erase(target)
  if (receipt === null) throw new NotFoundError('scope', memory.key.user)
  return receipt
}
