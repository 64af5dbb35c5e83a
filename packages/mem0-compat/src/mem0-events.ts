import { ownerOf, Problem, type ServerRequest } from '@keepsake/server'
import type { Metadata, ScopeKey } from 'keepsake'
import { type StoredRecord, stateOfHolder } from 'keepsake/store'
import { finishAdding, presentResults } from './add-messages.ts'
import {
  storeRecord,
  type Mem0Context,
  type AddEvent,
  type RunningAdd,
  type StoredMessages,
} from './mem0-names.ts'
import { isoTime } from './present-memory.ts'
import { pageOf, readPage } from './read-body.ts'

/** Events by memory id. */
type Ids = readonly (readonly [string, AddEvent])[]

/** A stored asynchronous add: ids, times and its user. */
interface StoredEvent {
  readonly scope: ScopeKey
  readonly recorded:
    { readonly kind: 'notes'; readonly made: Ids } | Extract<StoredMessages, { kind: 'turns' }>
  /** The process that finishes it. */
  readonly holder: string
  readonly at: number
  /** `null` while it is running. */
  readonly end: { readonly status: 'SUCCEEDED' | 'FAILED'; readonly at: number; readonly made: Ids } | null
}

const COLLECTION = 'mem0-events'
const DAY_MS = 24 * 60 * 60 * 1_000
const MAX_EVENTS = 1_000

/**
 * Records an asynchronous add for a day, or until something of the user is erased, so that all processes know it. When its process ends
 * early, the next process asked for it finishes it.
 *
 * @returns its id
 */
export async function beginEvent(
  context: Mem0Context,
  c: ServerRequest,
  { adding, recorded }: { readonly adding: RunningAdd; readonly recorded: StoredMessages },
): Promise<string> {
  const { now, newId } = context.deps
  const id = newId()
  const kept = recorded.kind === 'notes' ? { kind: recorded.kind, made: [...recorded.made] } : recorded
  const { key: scope } = adding.scope
  const event = { scope, recorded: kept, holder: context.holder.name, at: now(), end: null }
  await putEvent(context, keyOf(c, id), event)
  watch(context, keyOf(c, id), { event, adding })
  return id
}

/** `GET /v1/event/{id}/`. @throws Problem 404 for an event that is unknown or not this key's. */
export async function answerEvent(context: Mem0Context, c: ServerRequest): Promise<object> {
  const found = await context.deps.keepsake.records.getRecord(COLLECTION, keyOf(c, c.req.param('id') ?? ''))
  if (found !== null) return present(context, found)
  const detail =
    'There is no such event of this key. Events are known for a day, or until something of the person is erased.'
  throw new Problem(404, 'not-found', detail)
}

/** `GET /v1/events/`: the key's own, newest first. */
export async function answerEvents(context: Mem0Context, c: ServerRequest): Promise<object> {
  const query = { collection: COLLECTION, prefix: keyOf(c, ''), limit: MAX_EVENTS }
  const own = await context.deps.keepsake.records.listRecords(query)
  const newest = own.toSorted((one, other) => asEvent(other).at - asEvent(one).at)
  const page = pageOf(c, newest, readPage(c))
  return { ...page, results: await Promise.all(page.results.map((event) => present(context, event))) }
}

const keyOf = (c: ServerRequest, id: string): string => `${c.get('grant').id}/${id}`
const asEvent = ({ value }: StoredRecord): StoredEvent => value as unknown as StoredEvent

/** Stores the outcome of an add once it is known. */
function watch(
  context: Mem0Context,
  key: string,
  { event, adding }: { readonly event: StoredEvent; readonly adding: RunningAdd },
): void {
  const { unawaited, deps } = context
  unawaited.set(key, adding)
  const end = (status: 'SUCCEEDED' | 'FAILED', made: Ids): Promise<void> =>
    putEvent(context, key, { ...event, end: { status, at: deps.now(), made } })
  adding.finished
    .then(
      (made) => end('SUCCEEDED', [...made]),
      () => end('FAILED', []),
    )
    // The next request for it finishes it again.
    .catch(() => undefined)
    .finally(() => unawaited.delete(key))
}

async function putEvent({ deps }: Mem0Context, key: string, event: StoredEvent): Promise<void> {
  const { records } = deps.keepsake
  const owner = await ownerOf(deps.keepsake, event.scope)
  // Plain JSON, as it was made.
  const value = event as unknown as Metadata
  if (owner !== null)
    await storeRecord(records, { collection: COLLECTION, key, value, owner, lastsMs: DAY_MS })
}

/** Finishes an add whose process has ended. */
function finishForEndedProcess(context: Mem0Context, key: string, event: StoredEvent): void {
  if (event.end !== null || context.unawaited.has(key) || stateOfHolder(event.holder) === 'alive') return
  const scope = context.deps.keepsake.scope(event.scope)
  const { recorded: kept } = event
  const recorded: StoredMessages =
    kept.kind === 'notes' ? { kind: kept.kind, made: new Map(kept.made) } : kept
  const finished = finishAdding(context.deps, scope, recorded)
  watch(context, key, { event, adding: { recorded: Promise.resolve(recorded), finished, scope } })
}

/** An asynchronous add in Mem0's form. */
async function present(context: Mem0Context, record: StoredRecord): Promise<object> {
  const event = asEvent(record)
  finishForEndedProcess(context, record.key, event)
  const { scope, at, end } = event
  const made = end?.status === 'SUCCEEDED' ? new Map(end.made) : new Map<string, AddEvent>()
  return {
    id: record.key.slice(record.key.lastIndexOf('/') + 1),
    event_type: 'ADD',
    status: end?.status ?? 'PENDING',
    payload: {},
    metadata: null,
    results: await presentResults(context, context.deps.keepsake.scope(scope), made),
    created_at: isoTime(at),
    updated_at: isoTime(end?.at ?? at),
    started_at: isoTime(at),
    completed_at: end === null ? null : isoTime(end.at),
    /** Milliseconds. */
    latency: end === null ? null : end.at - at,
  }
}
