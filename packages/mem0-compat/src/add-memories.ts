import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Memory, ScopeKey } from 'keepsake'
import { requestIdFor, requireAccess, type ServerRequest } from '@keepsake/server'
import { memoriesOf, resultsOf, startAdding, type Adding } from './add-messages.ts'
import type { Mem0Door } from './mem0-door.ts'
import { beginEvent } from './mem0-events.ts'
import { scopeFor, tenantOf } from './mem0-names.ts'
import { readAdd, type AddRequest } from './read-add.ts'

/** Mem0's client waits a minute; what takes longer is answered with an event to ask about. */
const LONGEST_WAIT_MS = 20_000
/** Requests made at the same time reach a server one after another, and a client that lost an answer asks again. */
const SAME_MS = 2_000

/** Ids of requests by all that they say, while an equal one is the same: for the other processes, and the next after a kill. */
const COLLECTION = 'mem0-adds'

/** Remembers the messages of a request and says what was made of them. @throws Problem 400, 403 */
export async function addMemories(door: Mem0Door, c: ServerRequest): Promise<object> {
  const request = await readAdd(c)
  const key = scopeFor(request.entities, tenantOf(c))
  requireAccess(c, 'write', key)
  const adding = await findOrStart(door, key, { request, id: requestIdFor(c.get('grant'), c.req) })
  const recorded = await adding.recorded
  // What is answered is kept under an `Idempotency-Key`, and goes with this person.
  c.set('about', key)
  if (!request.isAsync && (await isFinished(adding, door.deps.stopping)))
    return { results: await resultsOf(door, adding.scope, await adding.finished) }
  return {
    event_id: await beginEvent(door, c, { adding, recorded }),
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

/** A request to add messages. */
interface Asked {
  readonly request: AddRequest
  /** Its own, by its `Idempotency-Key`; `null`: it has none. */
  readonly id: string | null
}

/**
 * Adds messages, once for equal requests that come at the same time: all of a request being equal (messages, names,
 * metadata, timestamp), it is the same request for as long as the first runs and two seconds after, while what came of it stands.
 */
async function findOrStart(door: Mem0Door, key: ScopeKey, { request, id }: Asked): Promise<Adding> {
  const { deps, recent } = door
  const { entities, messages, metadata, infer } = request
  const said = JSON.stringify([key, entities.run_id, messages, metadata, infer, id])
  const fingerprint = createHash('sha256').update(said).digest('base64')
  const forget = (adding: Adding): void => {
    if (recent.get(fingerprint) === adding) recent.delete(fingerprint)
  }
  for (let same = recent.get(fingerprint); same !== undefined; same = recent.get(fingerprint)) {
    if (await stands(same)) return same
    forget(same)
    if (id === null) await deps.keepsake.records.removeRecord(COLLECTION, fingerprint)
  }
  const named = id === null ? shareId(door, fingerprint) : null
  const adding = startAdding(deps, key, request, named?.then(({ id }) => id) ?? Promise.resolve(id ?? ''))
  recent.set(fingerprint, adding)
  const release = async (): Promise<void> => {
    forget(adding)
    const record = await named
    if (record !== null) await deps.keepsake.records.removeRecord(COLLECTION, fingerprint, record.version)
  }
  // The record goes by itself where it cannot be removed.
  const end = (): void => void release().catch(() => undefined)
  adding.finished.then(() => setTimeout(end, SAME_MS).unref(), end)
  return adding
}

/** An id that processes share, as it is kept. */
interface SharedId {
  readonly id: string
  readonly version: string
}

/** The id of a request: of an equal one that another process has, or had before it was killed; else a new one. */
async function shareId({ deps }: Mem0Door, fingerprint: string): Promise<SharedId> {
  const { records } = deps.keepsake
  for (;;) {
    const found = await records.record(COLLECTION, fingerprint)
    if (found !== null) return { version: found.version, ...(found.value as { readonly id: string }) }
    const value = { id: `mem0-${deps.newId()}` }
    const lastsMs = LONGEST_WAIT_MS + SAME_MS
    const mine = { collection: COLLECTION, key: fingerprint, value, lastsMs, expect: null, flush: false }
    const put = await records.putRecord(mine)
    if (put !== null) return { version: put.version, ...value }
  }
}

/** Whether an add is under way, or what it made is there as it was made. What failed stands for nothing. */
async function stands(adding: Adding): Promise<boolean> {
  const made = await Promise.race([adding.finished.catch(() => null), wait(0, 'under way' as const)])
  if (made === 'under way' || made === null) return made !== null
  const memories = await memoriesOf(adding.scope, made)
  const isThere = ({ id, status }: Memory): boolean => status === 'live' || made.get(id) === 'DELETE'
  return memories.length === made.size && memories.every(isThere)
}
