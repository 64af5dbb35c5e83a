import { ownerOf, Problem, type ServerDeps, type ServerRequest } from '@keepsake/server'
import type { Metadata, ScopeKey } from 'keepsake'
import { finishAdding, isSettledBefore, presentResults } from './add-messages.ts'
import { storeRecord, type AddEvent, type StoredMessages, type StoredTurns } from './mem0-names.ts'
import { isoTime } from './present-memory.ts'

/** The end of an add: when it was noticed, and the events by memory id. */
interface AddEnd {
  readonly at: number
  readonly events: readonly (readonly [string, AddEvent])[]
}

/** A stored asynchronous add: ids, times and its user. */
interface StoredAdd {
  readonly scope: ScopeKey
  readonly at: number
  /** The turns from which facts are extracted; `null` for notes, from which nothing is extracted. */
  readonly turns: StoredTurns | null
  /** `null` while facts are extracted. */
  readonly end: AddEnd | null
}

const COLLECTION = 'mem0-events'
const DAY_MS = 24 * 60 * 60 * 1_000
/** Time for which a request for an event waits for the end. */
const POLL_WAIT_MS = 100

/** Records an asynchronous add for a day, so that all processes can report it. @returns the id of the event */
export async function beginEvent(
  deps: ServerDeps,
  c: ServerRequest,
  { scope, stored }: { readonly scope: ScopeKey; readonly stored: StoredMessages },
): Promise<string> {
  const id = deps.newId()
  const at = deps.now()
  const isNotes = stored.kind === 'notes'
  const end = isNotes ? { at, events: [...stored.events] } : null
  await putAdd(deps, keyOf(c, id), { scope, at, turns: isNotes ? null : stored, end })
  return id
}

/** Answers `GET /v1/event/{id}/`. @throws Problem 404 for an unknown event or one of another key */
export async function answerEvent(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const id = c.req.param('id') ?? ''
  const key = keyOf(c, id)
  const record = await deps.keepsake.records.getRecord(COLLECTION, key)
  if (record === null) {
    const detail =
      'This key has no such event. Events are stored for a day, or until data of their user is erased.'
    throw new Problem(404, 'not-found', detail)
  }
  const add = record.value as unknown as StoredAdd
  const { scope, at } = add
  const end = await findEnd(deps, key, add)
  return {
    id,
    event_type: 'ADD',
    status: end === null ? 'PENDING' : 'SUCCEEDED',
    payload: {},
    metadata: null,
    results: await presentResults(deps, deps.keepsake.scope(scope), new Map(end?.events)),
    created_at: isoTime(at),
    updated_at: isoTime(end?.at ?? at),
    started_at: isoTime(at),
    completed_at: end === null ? null : isoTime(end.at),
    /** Milliseconds. */
    latency: end === null ? null : end.at - at,
  }
}

const keyOf = (c: ServerRequest, id: string): string => `${c.get('grant').id}/${id}`

/** Returns the end of an add, which the first request after it stores; `null` while facts are extracted. */
async function findEnd(deps: ServerDeps, key: string, add: StoredAdd): Promise<AddEnd | null> {
  if (add.turns === null || add.end !== null) return add.end
  const finished = finishAdding(deps, deps.keepsake.scope(add.scope), add.turns)
  if (!(await isSettledBefore(AbortSignal.timeout(POLL_WAIT_MS), finished))) return null
  const end = { at: deps.now(), events: [...(await finished)] }
  await putAdd(deps, key, { ...add, end })
  return end
}

async function putAdd(deps: ServerDeps, key: string, add: StoredAdd): Promise<void> {
  const { records } = deps.keepsake
  const owner = await ownerOf(deps.keepsake, add.scope)
  // The record contains only JSON values, which its type does not say.
  const value = add as unknown as Metadata
  if (owner !== null)
    await storeRecord(records, { collection: COLLECTION, key, value, owner, lastsMs: DAY_MS })
}
