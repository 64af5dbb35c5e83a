import { isoTime } from './present-memory.ts'

/** One line of what an add did. */
export interface AddResult {
  readonly id: string
  readonly data: { readonly memory: string }
  readonly event: 'ADD' | 'UPDATE' | 'DELETE' | 'NOOP'
}

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
  event: Mem0Event
  readonly grant: string
}

/** Events kept to be asked about; older ones are no longer known. */
const KEPT = 1_000

/**
 * The adds that were answered before they were done, by id, for the key that asked. In memory only: the messages are
 * durable before the id is given out, and after a restart the worker goes on with them, yet the id is not known any more.
 */
export class Mem0Events {
  readonly #kept = new Map<string, Kept>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Begins an event that ends with the work. */
  begin(id: string, grant: string, work: Promise<readonly AddResult[]>): Mem0Event {
    const at = this.#now()
    const event: Mem0Event = {
      id,
      event_type: 'ADD',
      status: 'PENDING',
      payload: {},
      metadata: null,
      results: [],
      created_at: isoTime(at),
      updated_at: isoTime(at),
      started_at: isoTime(at),
      completed_at: null,
      latency: null,
    }
    const kept: Kept = { event, grant }
    this.#keep(id, kept)
    const end = (status: Mem0Event['status'], results: readonly AddResult[]): void => {
      const now = this.#now()
      const over = { updated_at: isoTime(now), completed_at: isoTime(now), latency: now - at }
      kept.event = { ...event, ...over, status, results }
    }
    work.then(
      (results) => end('SUCCEEDED', results),
      () => end('FAILED', []),
    )
    return event
  }

  /** An event, for the key that began it. */
  find(id: string, grant: string): Mem0Event | null {
    const kept = this.#kept.get(id)
    return kept?.grant === grant ? kept.event : null
  }

  /** The newest first. */
  list(grant: string): readonly Mem0Event[] {
    const own = [...this.#kept.values()].filter((kept) => kept.grant === grant)
    return own.map((kept) => kept.event).toReversed()
  }

  /** Lets go of all results, which hold the text of memories: something was erased. */
  dropResults(): void {
    for (const kept of this.#kept.values()) kept.event = { ...kept.event, results: [] }
  }

  #keep(id: string, kept: Kept): void {
    this.#kept.set(id, kept)
    if (this.#kept.size <= KEPT) return
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined) this.#kept.delete(oldest)
  }
}
