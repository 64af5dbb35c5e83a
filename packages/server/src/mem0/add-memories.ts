import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Memory, ScopeKey } from 'keepsake'
import { requireAccess } from '../access/require-access.ts'
import type { ServerRequest } from '../server-context.ts'
import { startAdding, type Adding, type Made } from './add-messages.ts'
import { EVERY_STATUS } from './find-memory.ts'
import { noteIds } from './known-names.ts'
import type { Mem0Door } from './mem0-door.ts'
import { beginEvent } from './mem0-events.ts'
import { personOf, scopeFor, tenantOf } from './mem0-names.ts'
import { publicId } from './present-memory.ts'
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

/** What an add did, in Mem0's words, as far as it is not erased by now. */
export async function resultsOf({ deps }: Mem0Door, adding: Adding): Promise<readonly object[]> {
  const { keepsake } = deps
  const made = await adding.finished
  const memories = await memoriesOf(adding, made)
  const [row] = await keepsake.scopes(personOf(adding.scope.key))
  if (row !== undefined) await noteIds(keepsake.records, row, memories.map(publicId))
  return memories.map((memory) => ({
    id: publicId(memory),
    data: { memory: memory.text },
    event: made.get(memory.id) ?? 'NOOP',
  }))
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

/** In the order in which they were made known. */
async function memoriesOf({ scope }: Adding, made: Made): Promise<readonly Memory[]> {
  if (made.size === 0) return []
  const found = await scope.memories({ ids: [...made.keys()], statuses: EVERY_STATUS })
  const byId = new Map(found.map((memory) => [memory.id, memory]))
  return [...made.keys()].flatMap((id) => byId.get(id) ?? [])
}
