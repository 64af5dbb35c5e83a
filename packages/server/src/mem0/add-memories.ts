import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Memory, ScopeKey } from 'keepsake'
import { requireAccess } from '../access/require-access.ts'
import type { ServerRequest } from '../server-context.ts'
import { memoriesOf, resultsOf, startAdding, type Adding } from './add-messages.ts'
import type { Mem0Door } from './mem0-door.ts'
import { beginEvent } from './mem0-events.ts'
import { scopeFor, tenantOf } from './mem0-names.ts'
import { readAdd, type AddRequest } from './read-add.ts'

/** Mem0's client waits a minute; what takes longer is answered with an event to ask about. */
const LONGEST_WAIT_MS = 20_000
/** Requests made at the same time reach a server one after another, and a client that lost an answer asks again. */
const SAME_MS = 2_000

/** Remembers the messages of a request and says what was made of them. @throws Problem 400, 403 */
export async function addMemories(door: Mem0Door, c: ServerRequest): Promise<object> {
  const request = await readAdd(c)
  const key = scopeFor(request.entities, tenantOf(c))
  requireAccess(c, 'write', key)
  const adding = await findOrStart(door, key, request)
  await adding.recorded
  if (!request.isAsync && (await isFinished(adding, door.deps.stopping)))
    return { results: await resultsOf(door, adding) }
  return {
    event_id: beginEvent(door, c, adding),
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

/**
 * Adds messages, once for equal requests that come at the same time: all of a request being equal (messages, names,
 * metadata, timestamp), it is the same request for as long as the first runs and two seconds after, while what came of it stands.
 */
async function findOrStart({ deps, recent }: Mem0Door, key: ScopeKey, request: AddRequest): Promise<Adding> {
  const { entities, messages, metadata, infer } = request
  const said = JSON.stringify([key, entities.run, messages, metadata, infer])
  const fingerprint = createHash('sha256').update(said).digest('base64')
  const forget = (adding: Adding): void => {
    if (recent.get(fingerprint) === adding) recent.delete(fingerprint)
  }
  for (let same = recent.get(fingerprint); same !== undefined; same = recent.get(fingerprint)) {
    if (await stands(same)) return same
    forget(same)
  }
  const adding = startAdding(deps, key, request)
  recent.set(fingerprint, adding)
  adding.finished.then(
    () => setTimeout(forget, SAME_MS, adding).unref(),
    () => forget(adding),
  )
  return adding
}

/** Whether an add is under way, or what it made is there as it was made. What failed stands for nothing. */
async function stands(adding: Adding): Promise<boolean> {
  const made = await Promise.race([adding.finished.catch(() => null), wait(0, 'under way' as const)])
  if (made === 'under way' || made === null) return made !== null
  const memories = await memoriesOf(adding, made)
  const isThere = ({ id, status }: Memory): boolean => status === 'live' || made.get(id) === 'DELETE'
  return memories.length === made.size && memories.every(isThere)
}
