// Distributes the engine's events to streams and to the other workers.
import {
  EVENT_NAMES,
  type Change,
  type EventMap,
  type EventName,
  type Keepsake,
  type ScopeKey,
} from 'keepsake'
import { type EngineEvent, isSameUser, type User } from '../engine-event.ts'
import type { WorkerLink } from '../workers/worker-link.ts'

type Listener = (event: EngineEvent) => void

/** Maximum ids of emitted changes in memory, to detect duplicates, which arrive within tenths of a second. */
const MAX_IDS = 20_000

/** While it has listeners, emits events of this process, of the other workers, and of other machines if the store reports them. */
export class EventFeed {
  readonly #keepsake: Keepsake
  readonly #worker: WorkerLink | null
  /** Listeners with the scope of their interest; `null`: all. */
  readonly #listeners = new Map<Listener, ScopeKey | null>()
  readonly #ids = new Set<string>()
  readonly #engineListeners = EVENT_NAMES.map((event) => ({
    event,
    listener: (payload: EventMap[EventName][0]) => this.#emit({ event, payload } as EngineEvent),
  }))
  #unlisten: (() => void) | null = null

  constructor(keepsake: Keepsake, worker: WorkerLink | null = null) {
    this.#keepsake = keepsake
    this.#worker = worker
  }

  /** @param about the scope of interest; other events may arrive too. @returns a function that stops listening */
  listen(listener: Listener, about: ScopeKey | null = null): () => void {
    this.#unlisten ??= this.#listen()
    this.#listeners.set(listener, about)
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return
      this.#unlisten?.()
      this.#unlisten = null
    }
  }

  /** Subscribes to all sources. @returns a function that ends that */
  #listen(): () => void {
    for (const { event, listener } of this.#engineListeners) this.#keepsake.on(event, listener)
    const unlisten = this.#worker?.listen((event) => this.#emit(event))
    const unfollow = this.#keepsake.follow({
      onChange: (change) => this.#emitChange(change),
      filter: this.#hasListener,
    })
    return () => {
      for (const { event, listener } of this.#engineListeners) this.#keepsake.off(event, listener)
      unlisten?.()
      unfollow()
    }
  }

  /** Whether a listener is interested in a user; `null` is an erased user. */
  readonly #hasListener = (user: User | null): boolean =>
    this.#listeners.values().some((about) => about === null || (user !== null && isSameUser(about, user)))

  #emitChange({ event, payload }: Change): void {
    // The memory was erased meanwhile; its erasure is emitted instead.
    if ('memory' in payload && payload.memory === null) return
    // The duration in the other process is unknown.
    const timed = event === 'turns-recorded' ? { ...payload, milliseconds: 0 } : payload
    this.#emit({ event, payload: timed } as EngineEvent)
  }

  #emit(event: EngineEvent): void {
    if (!this.#isNew(event)) return
    for (const listener of this.#listeners.keys()) listener(event)
  }

  /** Whether an event was not emitted before. The same change may arrive from several sources. */
  #isNew(event: EngineEvent): boolean {
    const ids = idsOf(event)
    if (ids.length === 0) return true
    const newIds = ids.filter((id) => !this.#ids.has(id))
    for (const id of newIds) this.#ids.add(id)
    for (const oldest of this.#ids) {
      if (this.#ids.size <= MAX_IDS) break
      this.#ids.delete(oldest)
    }
    return newIds.length > 0
  }
}

/** Returns ids by which the same change is recognised when it arrives again; none for events that arrive once. */
function idsOf({ event, payload }: EngineEvent): string[] {
  switch (event) {
    case 'turns-recorded':
      return payload.turns.map((turn) => JSON.stringify([payload.scope.tenant, payload.scope.user, turn]))
    case 'memory-added':
    case 'memory-modified':
    case 'memory-deleted':
    case 'memory-forgotten':
    case 'memory-restored':
      return [payload.operation.id]
    case 'scope-erased':
      return [payload.receipt.id]
    default:
      return []
  }
}

/** Sends this process's events to the other workers while one of them listens. @returns a function that stops that */
export function shareEvents(keepsake: Keepsake, worker: WorkerLink): () => void {
  const feed = new EventFeed(keepsake)
  let unlisten: (() => void) | null = null
  const setListening = (isWanted: boolean): void => {
    unlisten?.()
    unlisten = isWanted ? feed.listen((event) => worker.publish(event)) : null
  }
  worker.onWanted(setListening)
  return () => setListening(false)
}
