import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { resultsOf, type Adding } from './add-messages.ts'
import type { Mem0Door } from './mem0-door.ts'
import { pageOf, readPage } from './mem0-page.ts'
import { isoTime } from './present-memory.ts'

/** An add that was answered before it was done. */
export interface Unawaited {
  readonly id: string
  /** The key that asked, and may ask about it. */
  readonly grant: string
  readonly adding: Adding
  readonly at: number
  /** `null` while it is under way. */
  end: { readonly status: 'SUCCEEDED' | 'FAILED'; readonly at: number } | null
}

/** Events kept to be asked about; older ones are no longer known. */
const KEPT = 1_000

/**
 * Begins an event that ends with an add. In memory only: the messages are durable before the id is given out, and after a
 * restart the worker goes on with them, yet the id is not known any more. What came of them is read when it is asked for, so that
 * nothing here outlives what is erased.
 *
 * @returns its id
 */
export function beginEvent({ deps, unawaited }: Mem0Door, c: ServerRequest, adding: Adding): string {
  const { now, newId } = deps
  const event: Unawaited = { id: newId(), grant: c.get('grant').id, adding, at: now(), end: null }
  unawaited.set(event.id, event)
  const [oldest] = unawaited.keys()
  if (unawaited.size > KEPT && oldest !== undefined) unawaited.delete(oldest)
  adding.finished.then(
    () => (event.end = { status: 'SUCCEEDED', at: now() }),
    () => (event.end = { status: 'FAILED', at: now() }),
  )
  return event.id
}

/** `GET /v1/event/{id}/`. @throws Problem 404 for an event that is not this key's, or is not known any more. */
export async function answerEvent(door: Mem0Door, c: ServerRequest): Promise<object> {
  const event = door.unawaited.get(c.req.param('id') ?? '')
  if (event?.grant === c.get('grant').id) return present(door, event)
  const detail = 'There is no such event of this key. Events are known until the server restarts.'
  throw new Problem(404, 'not-found', detail)
}

/** `GET /v1/events/`: the key's own, newest first. */
export async function answerEvents(door: Mem0Door, c: ServerRequest): Promise<object> {
  const own = [...door.unawaited.values()].filter(({ grant }) => grant === c.get('grant').id)
  const page = pageOf(c, own.toReversed(), readPage(c))
  return { ...page, results: await Promise.all(page.results.map((event) => present(door, event))) }
}

/** Work that a caller did not wait for, in Mem0's form. */
async function present(door: Mem0Door, { id, adding, at, end }: Unawaited): Promise<object> {
  return {
    id,
    event_type: 'ADD',
    status: end?.status ?? 'PENDING',
    payload: {},
    metadata: null,
    results: end?.status === 'SUCCEEDED' ? await resultsOf(door, adding) : [],
    created_at: isoTime(at),
    updated_at: isoTime(end?.at ?? at),
    started_at: isoTime(at),
    completed_at: end === null ? null : isoTime(end.at),
    /** Milliseconds. */
    latency: end === null ? null : end.at - at,
  }
}
