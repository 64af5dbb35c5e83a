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
  /** The process that extracts facts and stores the end. */
  readonly holder: string
  readonly at: number
  /** `null` while it is running. */
  readonly end: { readonly status: 'SUCCEEDED' | 'FAILED'; readonly at: number; readonly made: Ids } | null
}

const COLLECTION = 'mem0-events'
const DAY_MS = 24 * 60 * 60 * 1_000
const MAX_EVENTS = 1_000

/** Records an asynchronous add for a day, so that all processes can report it, and finish it where its process ended. */
export async function beginEvent(
  context: Mem0Context,
  c: ServerRequest,
  { adding, recorded }: { readonly adding: RunningAdd; readonly recorded: StoredMessages },
): Promise<string> {
  const { now, newId } = context.deps
  const id = newId()
  const storedMessages =
    recorded.kind === 'notes' ? { kind: recorded.kind, made: [...recorded.made] } : recorded
  const { key: scope } = adding.scope
  const event = { scope, recorded: storedMessages, holder: context.holder.name, at: now(), end: null }
  await putEvent(context, keyOf(c, id), event)
  storeOutcome(context, keyOf(c, id), { event, adding })
  return id
}

/** Answers `GET /v1/event/{id}/`. @throws Problem 404 for an unknown event or one of another key */
export async function answerEvent(context: Mem0Context, c: ServerRequest): Promise<object> {
  const record = await context.deps.keepsake.records.getRecord(COLLECTION, keyOf(c, c.req.param('id') ?? ''))
  if (record !== null) return presentEvent(context, record)
  const detail =
    'There is no such event of this key. Events are known for a day, or until something of the person is erased.'
  throw new Problem(404, 'not-found', detail)
}

/** Answers `GET /v1/events/`: the events of the request's key, newest first. */
export async function answerEvents(context: Mem0Context, c: ServerRequest): Promise<object> {
  const query = { collection: COLLECTION, prefix: keyOf(c, ''), limit: MAX_EVENTS }
  const ownEvents = await context.deps.keepsake.records.listRecords(query)
  const newestFirst = ownEvents.toSorted((left, right) => asEvent(right).at - asEvent(left).at)
  const page = pageOf(c, newestFirst, readPage(c))
  return { ...page, results: await Promise.all(page.results.map((event) => presentEvent(context, event))) }
}

const keyOf = (c: ServerRequest, id: string): string => `${c.get('grant').id}/${id}`
const asEvent = ({ value }: StoredRecord): StoredEvent => value as unknown as StoredEvent

/** Stores the outcome of an add once it is known. */
function storeOutcome(
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
    // If the outcome cannot be stored, the next request for the event tries again.
    .catch(() => undefined)
    .finally(() => unawaited.delete(key))
}

async function putEvent({ deps }: Mem0Context, key: string, event: StoredEvent): Promise<void> {
  const { records } = deps.keepsake
  const owner = await ownerOf(deps.keepsake, event.scope)
  // A StoredEvent contains only JSON values, which its type does not say.
  const value = event as unknown as Metadata
  if (owner !== null)
    await storeRecord(records, { collection: COLLECTION, key, value, owner, lastsMs: DAY_MS })
}

/** Finishes an add whose process has ended. */
function finishForEndedProcess(context: Mem0Context, key: string, event: StoredEvent): void {
  if (event.end !== null || context.unawaited.has(key) || stateOfHolder(event.holder) === 'alive') return
  const scope = context.deps.keepsake.scope(event.scope)
  const { recorded: stored } = event
  const recorded: StoredMessages =
    stored.kind === 'notes' ? { kind: stored.kind, made: new Map(stored.made) } : stored
  const finished = finishAdding(context.deps, scope, recorded)
  storeOutcome(context, key, { event, adding: { recorded: Promise.resolve(recorded), finished, scope } })
}

/** An asynchronous add in Mem0's form. */
async function presentEvent(context: Mem0Context, record: StoredRecord): Promise<object> {
  const event = asEvent(record)
  finishForEndedProcess(context, record.key, event)
  const { scope, at, end } = event
  const events = end?.status === 'SUCCEEDED' ? new Map(end.made) : new Map<string, AddEvent>()
  return {
    id: record.key.slice(record.key.lastIndexOf('/') + 1),
    event_type: 'ADD',
    status: end?.status ?? 'PENDING',
    payload: {},
    metadata: null,
    results: await presentResults(context, context.deps.keepsake.scope(scope), events),
    created_at: isoTime(at),
    updated_at: isoTime(end?.at ?? at),
    started_at: isoTime(at),
    completed_at: end === null ? null : isoTime(end.at),
    /** Milliseconds. */
    latency: end === null ? null : end.at - at,
  }
}
