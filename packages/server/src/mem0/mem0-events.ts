import { Problem } from '../problem.ts'
import type { ServerDeps, ServerRequest } from '../server-context.ts'
import type { Adding, AddResult, Adds } from './adds.ts'
import { pageOf, readPage, type Mem0Page } from './mem0-page.ts'
import { isoTime } from './present-memory.ts'

/** Work that a caller did not wait for. */
export interface Mem0Event {
  readonly id: string
  readonly event_type: 'ADD'
  readonly status: 'PENDING' | 'SUCCEEDED' | 'FAILED'
  readonly payload: Readonly<Record<string, never>>
  readonly metadata: null
  readonly results: readonly AddResult[]
  readonly created_at: string
  readonly updated_at: string
  readonly started_at: string
  readonly completed_at: string | null
  /** Milliseconds. */
  readonly latency: number | null
}

interface Kept {
  readonly id: string
  readonly grant: string
  readonly adding: Pick<Adding, 'scope' | 'finished'>
  readonly at: number
  /** `null` while it is under way. */
  end: { readonly status: 'SUCCEEDED' | 'FAILED'; readonly at: number } | null
}

/** Events kept to be asked about; older ones are no longer known. */
const KEPT = 1_000

/**
 * The adds that were answered before they were done, by id, for the key that asked. In memory only: the messages are
 * durable before the id is given out, and after a restart the worker goes on with them, yet the id is not known any more. What came of
 * them is read when it is asked for, so that nothing here outlives what is erased.
 */
export class Mem0Events {
  readonly #deps: Pick<ServerDeps, 'now' | 'newId'>
  readonly #adds: Adds
  readonly #kept = new Map<string, Kept>()

  constructor(deps: Pick<ServerDeps, 'now' | 'newId'>, adds: Adds) {
    this.#deps = deps
    this.#adds = adds
  }

  /** Begins an event that ends with an add. @returns its id */
  begin(grant: string, adding: Adding): string {
    const { now, newId } = this.#deps
    const kept: Kept = { id: newId(), grant, adding, at: now(), end: null }
    this.#kept.set(kept.id, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest)
    adding.finished.then(
      () => (kept.end = { status: 'SUCCEEDED', at: now() }),
      () => (kept.end = { status: 'FAILED', at: now() }),
    )
    return kept.id
  }

  /** `GET /v1/event/{id}/`. @throws Problem 404 for an event that is not this key's, or is not known any more. */
  async answerOne(c: ServerRequest, id: string): Promise<Mem0Event> {
    const kept = this.#kept.get(id)
    if (kept?.grant === c.get('grant').id) return this.#present(kept)
    const detail = 'There is no such event of this key. Events are known until the server restarts.'
    throw new Problem(404, 'not-found', detail)
  }

  /** `GET /v1/events/`: the key's own, newest first. */
  async answerAll(c: ServerRequest): Promise<Mem0Page<Mem0Event>> {
    const own = [...this.#kept.values()].filter(({ grant }) => grant === c.get('grant').id)
    const found = pageOf(c, own.toReversed(), readPage(c))
    return { ...found, results: await Promise.all(found.results.map((kept) => this.#present(kept))) }
  }

  async #present({ id, adding, at, end }: Kept): Promise<Mem0Event> {
    return {
      id,
      event_type: 'ADD',
      status: end?.status ?? 'PENDING',
      payload: {},
      metadata: null,
      results: end?.status === 'SUCCEEDED' ? await this.#adds.results(adding) : [],
      created_at: isoTime(at),
      updated_at: isoTime(end?.at ?? at),
      started_at: isoTime(at),
      completed_at: end === null ? null : isoTime(end.at),
      latency: end === null ? null : end.at - at,
    }
  }
}
