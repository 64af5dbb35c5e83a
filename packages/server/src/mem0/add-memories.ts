import { requireAccess } from '../access/require-access.ts'
import type { ServerRequest } from '../server-context.ts'
import type { Adding, AddResult } from './adds.ts'
import { tenantOf, type Mem0Door } from './mem0-door.ts'
import type { Mem0Event } from './mem0-events.ts'
import { scopeFor } from './mem0-names.ts'
import { readAdd } from './read-add.ts'

/** Mem0's client waits a minute; what takes longer is answered with an event to ask about. */
const LONGEST_WAIT_MS = 20_000

/** What an add is answered: what was made of it, or that it is under way. */
export type AddAnswer =
  | { readonly results: readonly AddResult[] }
  | (Pick<Mem0Event, 'status'> & { readonly event_id: string; readonly message: string })

/** Remembers the messages of a request and says what was made of them. @throws Problem 400, 403 */
export async function addMemories(door: Mem0Door, c: ServerRequest): Promise<AddAnswer> {
  const { deps, adds, events } = door
  const request = await readAdd(c)
  const key = scopeFor(request.entities, tenantOf(c))
  requireAccess(c, 'write', key)
  const adding = await adds.begin(key, request)
  await adding.recorded
  if (!request.isAsync && (await isFinished(adding, deps.stopping)))
    return { results: await adds.results(adding) }
  const event_id = events.begin(c.get('grant').id, adding)
  return {
    event_id,
    status: 'PENDING',
    message: 'The messages are remembered. What is drawn from them follows; ask for the event.',
  }
}

/** Waits for the end; `false` when it takes too long or the server is stopping. */
async function isFinished({ finished }: Adding, stopping: AbortSignal): Promise<boolean> {
  const late = AbortSignal.any([stopping, AbortSignal.timeout(LONGEST_WAIT_MS)])
  const { promise, resolve } = Promise.withResolvers<false>()
  if (late.aborted) resolve(false)
  late.addEventListener('abort', () => resolve(false), { once: true })
  return Promise.race([finished.then(() => true), promise])
}
